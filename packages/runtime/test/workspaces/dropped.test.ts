import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { everything } from "../support/world.ts";
import { ADA } from "../kernel/support.ts";
import { branchAt, chat, FIRST, say, SECOND, worldFor } from "./support-chats.ts";
import { lab, type Lab } from "./support.ts";

/** The user takes a commit back, and git lets go of it. */
function rewrite(l: Lab): void {
  l.git("reset", "--quiet", "--hard", "HEAD~1");
  l.git("reflog", "expire", "--expire=now", "--all");
  l.git("gc", "--quiet", "--prune=now");
}

describe("what the user's repository has dropped", () => {
  test("is missed by name: a branch says so, and a comparison goes without the files", async () => {
    const l = lab({ project: {} });
    l.put("later.txt", "later");
    l.git("add", "-A");
    l.git("commit", "--quiet", "-m", "Later");
    const w = worldFor(l, [FIRST, SECOND]);
    const session = await chat(w);
    await say(w, session, "first");
    rewrite(l);
    await say(w, session, "second");
    const end = (await everything(w.log, session)).find(({ type }) => type === "runtime.turn.ended");
    const { row, said } = await branchAt(w, end);
    expect(said).toEqual({
      kind: "project",
      note: expect.stringMatching(/cannot be had.*The workspace cannot be used\. git [a-z-]+ failed/),
    });
    expect(await w.services.comparisons.compare(ADA, session, row.session_id)).toMatchObject({
      files: null,
      files_note: expect.stringMatching(/not kept/),
    });
  });

  test("or broken is said where the files cannot be kept for it", async () => {
    const l = lab({ project: {} });
    const w = worldFor(l, [FIRST, SECOND]);
    const session = await chat(w);
    await say(w, session, "first");
    rmSync(join(l.project, "src/a.txt"));
    writeFileSync(join(l.project, ".git/index"), "no index");
    await say(w, session, "second");
    const notices = (await everything(w.log, session)).filter(
      ({ type }) => type === "runtime.sandbox.notice",
    );
    expect(notices.map(({ data }) => data)).toMatchObject([
      { details: { kept: false, why: expect.stringMatching(/git ls-files failed/) } },
    ]);
  });
});
