import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { actor, codeOf, errorOf } from "../support/world.ts";
import { ADA } from "../kernel/support.ts";
import { artifacts, DONE, patiently, put, start, worldOf } from "./support-background.ts";
import { lab } from "./support.ts";

const REFUSED = { fail: "No such key.", status: 401 } as const;

describe("the change of a session", () => {
  test("is had also of work that failed, and is on record", async () => {
    const l = lab();
    const w = worldOf(l, [[put("one.txt", "1")], [REFUSED]]);
    const play = await start(w);
    await patiently(play, "failed");
    expect(await artifacts(w, play.session, "workspace_change")).toEqual([]);
    const offer = await w.services.offers.offer(ADA, play.session);
    expect(offer).toMatchObject({ branch: `fairlead/${play.session}`, files: [{ path: "one.txt" }] });
    expect(l.git("show", `${offer.branch}:one.txt`)).toBe("1");
    expect(await artifacts(w, play.session, "workspace_change")).toMatchObject([{ commit: offer.commit }]);
    expect(await w.services.offers.offer(ADA, play.session)).toEqual(offer);
  });

  test("is refused where there is none, while it runs, and to who may not", async () => {
    const l = lab();
    const w = worldOf(l, [[put("one.txt", "1")], [{ say: "I begin" }, { hang: true }]]);
    const chat = await w.services.sessions.create(ADA, {});
    expect(await codeOf(w.services.offers.offer(ADA, chat.session_id))).toBe("workspace_unavailable");
    const play = await start(w);
    for (let i = 0; i < 1_000 && (await artifacts(w, play.session, "workspace_snapshot")).length < 2; i++)
      await new Promise<void>((resolve) => void setTimeout(resolve, 5));
    expect(await codeOf(w.services.offers.offer(ADA, play.session))).toBe("turn_active");
    expect(await codeOf(w.services.offers.offer(actor("viewer"), play.session))).toBe("forbidden");
    expect(l.git("branch", "--list", "fairlead/*")).toBe("");
    await w.services.turns.stop("The test is over.");
  });
});

describe("a tool that somebody calls in a session", () => {
  const args = { path: "direct.txt", content: "d" };

  test("works where the session works", async () => {
    const l = lab();
    const w = worldOf(l, [[put("one.txt", "1")], [DONE]]);
    const play = await start(w);
    const row = await patiently(play, "completed");
    await w.services.tools.call(ADA, play.session, "write_file", args);
    expect(readFileSync(join(String(row.state?.workspace), "direct.txt"), "utf8")).toBe("d");
    expect(existsSync(join(l.project, "direct.txt"))).toBe(false);
  });

  test("does not write for one that is to have a place of its own, and has none yet", async () => {
    const l = lab();
    const w = worldOf(l, [[DONE]]);
    const play = await start(w);
    await patiently(play, "completed");
    const refused = await errorOf(w.services.tools.call(ADA, play.session, "write_file", args));
    expect([refused.code, refused.message]).toEqual(["tool_denied", expect.stringMatching(/has none yet/)]);
    expect(existsSync(join(l.project, "direct.txt"))).toBe(false);
    const read = await w.services.tools.call(ADA, play.session, "read_file", { path: "src/a.txt" });
    expect(read.status).toBe("ok");
  });
});

describe("a process that was killed between the two", () => {
  test("made the place and did not say so: the next one finds it, and says it", async () => {
    const l = lab();
    // What the killed one had made.
    const made = await l.workspaces.prepare({ id: "ws_0001", session_id: "ses_0001", source: l.project });
    const w = worldOf(l, [[put("one.txt", "1")], [DONE]]);
    const play = await start(w);
    expect(play.session).toBe("ses_0001");
    const row = await patiently(play, "completed");
    expect(row.state).toMatchObject({ workspace_id: "ws_0001", workspace: made.path });
    expect(await play.data("runtime.sandbox.notice")).toHaveLength(1);
    expect(readFileSync(join(made.path, "one.txt"), "utf8")).toBe("1");
  });
});
