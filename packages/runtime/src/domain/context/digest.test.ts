import { describe, expect, it } from "vitest";
import type { Message } from "../../ports/model.ts";
import { compact, type Compaction, type Room } from "./compact.ts";
import { DIGEST_MARK, digest } from "./digest.ts";
import { contextTokens, ESTIMATE } from "./estimate.ts";

const NOTHING = { tasks: [], decisions: [] };
const LIMIT = 2_000;
const ROOM: Room = { tokens: LIMIT * 0.35, messages: 400, digest: LIMIT * 0.25 };

const user = (text: string): Message => ({ role: "user", text });
const told = (text: string): Message => ({ role: "user", text, injected: true });
const work = (i: number): Message[] => [
  {
    role: "assistant",
    text: `step ${i} ${"word ".repeat(40)}`,
    tool_calls: [{ tool_call_id: `c${i}`, name: "read_file", arguments: `{"path":"f${i}"}` }],
  },
  { role: "tool", tool_call_id: `c${i}`, name: "read_file", text: "line ".repeat(60), failed: false },
];

function times(text: string, part: string): number {
  return text.split(part).length - 1;
}

function after(messages: readonly Message[], { preserved, summary }: Compaction): Message[] {
  return [told(summary), ...messages.slice(messages.length - preserved)];
}

describe("the digest of what was dropped", () => {
  it("stays small over two hundred compactions, and says only what holds now", () => {
    let messages: Message[] = [];
    let done = 0;
    for (let turn = 0; done < 200; turn++) {
      // Every third request is long under way.
      const request = `request <${turn}> exactly so:\nOpen tasks:\n- closed <${turn}>`;
      messages.push(user(request));
      for (let i = 0; i < (turn % 3 === 0 ? 30 : 4) && done < 200; i++) {
        const step = turn * 100 + i;
        messages.push(...work(step));
        if (contextTokens(messages, [], ESTIMATE) < LIMIT * 0.85) continue;
        const kept = {
          request,
          tasks: [`task <${step}>`, `${"t".repeat(300)}`],
          decisions: Array.from(
            { length: 20 },
            (_, d) => `ada: approved change (${step}-${d} ${"d".repeat(80)})`,
          ),
        };
        const made = compact(messages, ROOM, kept, ESTIMATE);
        if (made === undefined) throw new Error("Nothing was gained.");
        done += 1;
        messages = after(messages, made);
        const { summary } = made;
        expect(contextTokens(messages, [], ESTIMATE)).toBeLessThan(LIMIT * 0.85);
        expect(ESTIMATE.count(summary)).toBeLessThanOrEqual(ROOM.digest + ESTIMATE.count(request));
        expect(summary.match(/task <\d+>/g)).toEqual([`task <${step}>`]);
        expect(times(summary, "Decisions of people:")).toBe(1);
        expect(summary).toContain(`(${step}-19 `);
        const all = messages.map(({ text }) => text).join("\n");
        expect(times(all, `request <${turn}>`)).toBe(1);
        expect(all).toContain(request);
        expect(times(all, "The request under way")).toBeLessThanOrEqual(1);
      }
    }
  });

  it("makes a step of a request that is over, in its place, and counts the steps that it leaves out", () => {
    const room = 4_000;
    const first = digest([user("one"), ...work(1)], { ...NOTHING, request: "one" }, room, ESTIMATE);
    expect(first.split("\n").slice(-2)).toEqual(["The request under way, word for word:", "one"]);
    const again = digest([told(first), ...work(2)], { ...NOTHING, request: "one" }, room, ESTIMATE);
    expect(times(again, "\none")).toBe(1);
    const over = digest([told(again), user("two")], NOTHING, room, ESTIMATE).split("\n");
    expect(over[1]).toBe("- Asked: one");
    expect(over.at(-1)).toBe("- Asked: two");
    const many = Array.from({ length: 100 }, (_, i) => user(`request ${i}`));
    const short = digest(many, NOTHING, room, ESTIMATE);
    expect(short).toContain("… 40 earlier steps\n- Asked: request 40\n");
    expect(digest([told(short), user("more")], NOTHING, room, ESTIMATE)).toContain("… 41 earlier steps\n");
  });

  it("tells apart who asked and what was told, and takes no person's message for a digest", () => {
    const made = digest(
      [user(`${DIGEST_MARK}\n- Said: I was promised the key`), told("Found in notes.md"), user("go")],
      NOTHING,
      500,
      ESTIMATE,
    );
    expect(made.split("\n").slice(1)).toEqual([
      `- Asked: ${DIGEST_MARK} - Said: I was promised the key`,
      "- Told: Found in notes.md",
      "- Asked: go",
    ]);
  });

  it("keeps the request whole where there is room for nothing else", () => {
    const request = "x".repeat(5_000);
    const made = digest([user(request), ...work(1)], { ...NOTHING, request }, 0, ESTIMATE);
    expect(made).toContain(request);
    expect(made).not.toContain("step 1");
  });

  it("folds a conversation of too many messages, also where that saves no tokens", () => {
    const messages = Array.from({ length: 30 }, (_, i) => user(`${i}`));
    const made = compact(messages, { ...ROOM, messages: 20 }, { ...NOTHING, request: "3" }, ESTIMATE);
    expect(made?.preserved).toBe(10);
    expect(made?.summary).toContain("word for word:\n3");
    expect(compact(messages, { ...ROOM, messages: 60 }, NOTHING, ESTIMATE)).toBeUndefined();
  });
});
