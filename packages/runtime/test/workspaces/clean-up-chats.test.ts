import { existsSync } from "node:fs";
import { join } from "node:path";
import type { SessionId } from "@fairlead/contract";
import { expect, test } from "vitest";
import { cleanUp } from "../../src/services/workspaces/clean-up.ts";
import { tool } from "../golden/scene.ts";
import { ADA } from "../kernel/support.ts";
import { countingIds, everything, handTime, settle, type World } from "../support/world.ts";
import { tools } from "./support-background.ts";
import { branchAt, chat, FIRST, OTHER, say, SECOND, textOf, worldFor } from "./support-chats.ts";
import { filesOf, lab } from "./support.ts";

const DAY_MS = 24 * 3_600_000;

/** A chat that has written twice, and a branch from before the second time. */
async function branched(more: Parameters<typeof worldFor>[2] = {}) {
  const time = handTime();
  const l = lab({ clock: time.clock, project: {} });
  const w = worldFor(
    l,
    [FIRST, SECOND, OTHER, { when: "wait", rounds: [[{ call: "gate", with: { what: "x" } }]] }],
    {
      time,
      ...more,
    },
  );
  const id = await chat(w);
  await say(w, id, "first");
  await say(w, id, "second");
  const { row } = await branchAt(w, (await everything(w.log, id))[0]);
  const path = String(row.state?.workspace);
  const clean = () =>
    cleanUp({
      log: w.log,
      ids: countingIds("cleaner"),
      clock: time.clock,
      workspaces: l.workspaces,
      keepMs: 7 * DAY_MS,
      keptMs: 30 * DAY_MS,
      report: (error) => {
        throw error;
      },
    });
  const own = (session: SessionId) => join(l.data, "workspaces/records", session.replace("ses_", "ws_"));
  return { l, w, time, id, branch: row.session_id, path, clean, own };
}

test("files of a chat's branch go when it has been idle, and come back with what it had", async () => {
  const { l, w, time, branch, path, clean } = await branched();
  await say(w, branch, "other");
  expect(await clean()).toBe(0);
  await time.advance(6 * DAY_MS);
  expect(await clean()).toBe(0);
  expect(textOf(path, "two.txt")).toBe("b");
  await time.advance(2 * DAY_MS);
  expect(await clean()).toBe(1);
  expect([existsSync(path), l.git("worktree", "list").trim().split("\n").length]).toEqual([false, 1]);
  await say(w, branch, "second");
  expect([textOf(path, "two.txt"), textOf(path, "one.txt")]).toEqual(["b", "2"]);
});

test("what was kept of the project goes by age, and a branch then says that the files are as they are now", async () => {
  const { l, w, time, id, branch, own, clean } = await branched();
  await time.advance(31 * DAY_MS);
  // The files of the branch, and the snapshots of the chat.
  expect(await clean()).toBe(2);
  expect([existsSync(own(id)), existsSync(own(branch))]).toEqual([false, true]);
  const { row, said } = await branchAt(w, (await everything(w.log, id))[0]);
  expect(said).toMatchObject({
    kind: "project",
    note: expect.stringMatching(/cannot be had.*as they are now/),
  });
  expect(row.state?.workspace_id ?? null).toBeNull();
  await say(w, branch, "other");
  expect(textOf(l.workspaces.pathOf(branch.replace("ses_", "ws_")), "two.txt")).toBe("b");
});

test("what was kept of the project stays while a session with that history is used", async () => {
  const { w, time, id, own, clean } = await branched();
  const all = await everything(w.log, id);
  const { row: head } = await branchAt(w, all.at(-1));
  const { row: below } = await branchAt(w, (await everything(w.log, head.session_id)).at(-1));
  expect([head.state?.workspace_id ?? null, below.state?.workspace_id ?? null]).toEqual([null, null]);
  await time.advance(20 * DAY_MS);
  await say(w, below.session_id, "other");
  await time.advance(20 * DAY_MS);
  await clean();
  expect(existsSync(own(id))).toBe(true);
  const { said, one } = await branchAt(w, all[0]);
  expect([said["kind"], one]).toEqual(["restored", null]);
  await time.advance(31 * DAY_MS);
  await clean();
  expect(existsSync(own(id))).toBe(false);
});

test("what was kept of a session that is purged is gone with the next round", async () => {
  const { l, w, id, branch, own, clean } = await branched();
  await w.log.purge(branch);
  await w.log.purge(id);
  expect(await clean()).toBe(1);
  expect(existsSync(own(id))).toBe(false);
  expect(Object.values(filesOf(join(l.data, "workspaces"))).join("")).not.toContain(id);
});

test("nothing goes while somebody drives the branch", async () => {
  const began = Promise.withResolvers<void>();
  const gate = Promise.withResolvers<void>();
  const open = tool("gate", async () => {
    began.resolve();
    await gate.promise;
    return { result: "open" };
  });
  const l = lab();
  const { w, time, branch, path, clean } = await branched({ tools: [...tools(l), open] });
  await time.advance(31 * DAY_MS);
  await w.services.turns.start(ADA, branch, { input: "wait" });
  await began.promise;
  await clean();
  expect(existsSync(path)).toBe(true);
  gate.resolve();
  await stopped(w);
});

async function stopped(w: World): Promise<void> {
  await w.services.turns.stop("The test is over.");
  await settle();
}
