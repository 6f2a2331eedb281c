import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { AnyEvent } from "@fairlead/contract";
import { describe, expect, test } from "vitest";
import { filesAtFork } from "../../src/domain/workspace/at-fork.ts";
import { is } from "../../src/domain/event.ts";
import { ADA } from "../kernel/support.ts";
import { everything, type World } from "../support/world.ts";
import { DONE, patiently, put, saidOf, start, worldOf } from "./support-background.ts";
import { lab } from "./support.ts";

async function branchAt(w: World, event: AnyEvent | undefined) {
  const branch = await w.services.branches.branch(ADA, event?.stream ?? "", {
    from_event_id: event?.id ?? "",
  });
  const said = (await saidOf(w, branch.session_id)) as { note?: string };
  return { branch, said, read: (path: string) => readOf(String(branch.state?.workspace), path) };
}

function readOf(root: string, path: string): string | undefined {
  try {
    return readFileSync(join(root, path), "utf8");
  } catch {
    return undefined;
  }
}

describe("a branch from the middle of a wave", () => {
  test("has what a call wrote once its result is on record, and not before", async () => {
    const l = lab();
    const w = worldOf(l, [[put("one.txt", "1")], [put("one.txt", "2")], [DONE]]);
    const play = await start(w);
    await patiently(play, "completed");
    const all = await everything(w.log, play.session);
    const waves = all.filter(({ type }) => type === "agent.tool.batch");
    for (const [i, wave] of waves.entries()) {
      const [before, after] = [[undefined, "1"][i], ["1", "2"][i]];
      const next = waves[i + 1]?.seq ?? Number.MAX_SAFE_INTEGER;
      const ends = all.filter(
        ({ seq, type }) =>
          seq > wave.seq && seq < next && (type === "agent.tool.result" || type === "agent.tool.outcome"),
      );
      expect(ends).toHaveLength(2);
      for (const end of ends) {
        const { said, read } = await branchAt(w, end);
        expect(read("one.txt"), end.type).toBe(after);
        expect(said.note).toBeUndefined();
      }
      const { said, read } = await branchAt(w, wave);
      expect(read("one.txt")).toBe(before);
      expect(said.note).toBeUndefined();
    }
  });

  test("whose calls changed nothing has the files of the one before", async () => {
    const l = lab();
    const w = worldOf(l, [[put("one.txt", "1")], [put("one.txt", "1")], [put("one.txt", "2")], [DONE]]);
    const play = await start(w);
    await patiently(play, "completed");
    const outcomes = (await everything(w.log, play.session)).filter(
      ({ type }) => type === "agent.tool.outcome",
    );
    const { said, read } = await branchAt(w, outcomes[1]);
    expect(read("one.txt")).toBe("1");
    expect(said.note).toBeUndefined();
  });

  test("is compared by what each did since, not by what both have", async () => {
    const l = lab();
    const w = worldOf(l, [[put("one.txt", "1")], [put("two.txt", "2")], [DONE]]);
    const play = await start(w);
    await patiently(play, "completed");
    const outcome = (await everything(w.log, play.session)).find((event) => is(event, "agent.tool.outcome"));
    const { branch } = await branchAt(w, outcome);
    const found = await w.services.comparisons.compare(ADA, play.session, branch.session_id);
    expect(found.a.files?.map(({ path }) => path)).toEqual(["two.txt"]);
    expect(found.b.files).toEqual([]);
  });
});

describe("the files at a fork", () => {
  const wave = { seq: 5, writes: true, ended: 1, running: 0 };
  test.each([
    ["no call since", 9, undefined, "nothing", "before", null],
    ["calls that only read", 9, { ...wave, writes: false }, "nothing", "before", null],
    ["calls that are about to begin", 5, { ...wave, ended: 0, running: 1 }, "snapshot", "before", null],
    ["a call that runs", 6, { ...wave, ended: 0, running: 1 }, "snapshot", "before", /running/],
    ["calls that have ended", 9, wave, "snapshot", "after", null],
    ["one of two that has ended", 9, { ...wave, running: 1 }, "snapshot", "after", /all of them had ended/],
    ["calls that changed nothing", 9, wave, "over", "before", null],
    ["calls whose files are not kept yet", 9, wave, "nothing", "before", /may be missing/],
  ] as const)("%s", (_, fork, at, then, take, note) => {
    const found = filesAtFork(fork, at, then);
    expect(found.take).toBe(take);
    if (note === null) expect(found.note).toBeNull();
    else expect(found.note).toMatch(note);
  });
});
