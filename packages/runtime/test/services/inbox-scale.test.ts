import type { NewEvent, SessionId } from "@fairlead/contract";
import { expect, test } from "vitest";
import type { EventLog } from "../../src/ports/event-log.ts";
import type { LogStore } from "../../src/ports/log-store.ts";
import { openSqliteStore } from "../../src/stores/sqlite/open.ts";
import { temporaryFolder } from "../stores.ts";
import { actor, codeOf, handTime, world } from "../support/world.ts";

const ADA = actor("operator", "ada");
const MANY = 10_000;
const RISKS = ["low", "medium", "high", "critical"] as const;

/** A session whose turn is parked for a question, as the loop writes it. */
function parked(id: SessionId, i: number): readonly NewEvent[] {
  const state = (status: "running" | "awaiting_approval") => ({
    type: "runtime.session.state" as const,
    data: { session_id: id, status, kind: "background", title: `Work ${i}` },
  });
  return [
    state("running"),
    {
      type: "runtime.question.asked",
      data: {
        request_id: `apr_${String(i).padStart(8, "0")}` as never,
        kind: "approval",
        tool_name: "shell",
        reason: "May I?",
        risk: RISKS[i % 1_000 === 0 ? 3 : i % 3] as never,
      },
    },
    state("awaiting_approval"),
  ] as readonly NewEvent[];
}

async function fill(log: EventLog, count: number): Promise<void> {
  const per = 500;
  for (let from = 0; from < count; from += per) {
    const writes = Array.from({ length: per }, (_, k) => {
      const id = `ses_${String(from + k).padStart(8, "0")}` as SessionId;
      const create = {
        owner: "user" as const,
        kind: "background",
        project: null,
        broadcast: false,
        created_by: "ada",
      };
      return { stream: id, events: parked(id, from + k), create };
    });
    const done = await log.append({ writes });
    if (!done.ok) throw new Error(done.refusal.message);
  }
}

test("ten thousand parked sessions are counted all and read a page at a time", async () => {
  const time = handTime();
  const folder = temporaryFolder();
  const store = openSqliteStore({ dir: folder.path, clock: time.clock });
  const reads: string[] = [];
  const counting: LogStore = {
    ...store,
    rows: (kind, query) => (reads.push(`rows ${kind}`), store.rows(kind, query)),
    loadRow: (kind, id) => (reads.push(`row ${kind}`), store.loadRow(kind, id)),
  };
  const { log, services } = world({ store: counting, time });
  try {
    await fill(log, MANY);
    reads.length = 0;
    const first = await services.inbox.read(ADA);
    expect(first.counts).toEqual({ needs_input: MANY, needs_review: 0, done: 0, working: 0, idle: 0 });
    expect(first.entries).toHaveLength(50);
    // The riskiest, then what waits longest, each with its session's name.
    expect(first.entries.slice(0, 12).map(({ risk }) => risk)).toEqual([
      ...Array.from({ length: 10 }, () => "critical"),
      "high",
      "high",
    ]);
    expect(first.entries[0]).toMatchObject({ title: "Work 0", kind: "background", action: "decide" });
    // One look at each group's rows and one for the names: nothing is read session by session.
    expect(reads.length).toBeLessThanOrEqual(8);

    const keys = new Set(first.entries.map(({ key }) => key));
    let cursor = first.more.needs_input ?? null;
    for (let page = 0; page < 3; page++) {
      const next = await services.inbox.read(ADA, { group: "needs_input", cursor: cursor ?? "" });
      expect(next.entries).toHaveLength(50);
      for (const { key } of next.entries) keys.add(key);
      cursor = next.more.needs_input ?? null;
    }
    expect(keys.size).toBe(200);
    const list = await services.sessions.list(ADA, { needs: "me", sort: "created", limit: 20 });
    expect(list.rows).toHaveLength(20);
    expect(list.cursor).not.toBeNull();
    expect(await codeOf(services.inbox.read(ADA, { group: "needs_input", cursor: "nonsense" }))).toBe(
      "invalid_cursor",
    );
  } finally {
    await log.close();
    folder.remove();
  }
}, 60_000);
