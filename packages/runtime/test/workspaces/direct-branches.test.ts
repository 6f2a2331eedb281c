import { describe, expect, test } from "vitest";
import { is } from "../../src/domain/event.ts";
import { ADA } from "../kernel/support.ts";
import { codeOf, everything } from "../support/world.ts";
import { artifacts, DONE, patiently, put, start, worldOf } from "./support-background.ts";
import { branchAt, chat, FIRST, say, SECOND, textOf, worldFor } from "./support-chats.ts";
import { lab } from "./support.ts";

const write = (content: string) => ({ path: "one.txt", content });

describe.each([{ repository: true }, { repository: false }])(
  "files that a person wrote by a call of their own (repository: $repository)",
  (given) => {
    test("are in the branches of a chat as they were before and after it", async () => {
      const l = lab({ ...given, project: {} });
      const w = worldFor(l, [FIRST, SECOND]);
      const id = await chat(w);
      await say(w, id, "first");
      const before = (await everything(w.log, id)).at(-1);
      l.put("one.txt", "by hand");
      await w.services.tools.call(ADA, id, "read_file", { path: "one.txt" });
      await w.services.tools.call(ADA, id, "write_file", write("direct"));
      const after = (await everything(w.log, id)).at(-1);
      await say(w, id, "second");
      const all = await everything(w.log, id);
      const [, started] = all.filter((event) => is(event, "runtime.tool.direct.started"));
      const [, completed] = all.filter((event) => is(event, "runtime.tool.direct.completed"));
      expect((await branchAt(w, before)).one).toBe("1");
      expect((await branchAt(w, started)).one).toBe("by hand");
      for (const event of [completed, after]) {
        const { one, said } = await branchAt(w, event);
        expect([one, said["note"] ?? null], event?.type).toEqual(["direct", null]);
      }
      expect(textOf(l.project, "one.txt")).toBe("2");
      expect(w.reported).toEqual([]);
    });

    test("are in the branches of background work", async () => {
      const l = lab(given);
      const w = worldOf(l, [[put("one.txt", "1")], [DONE]]);
      const play = await start(w);
      const row = await patiently(play, "completed");
      const before = (await everything(w.log, play.session)).at(-1);
      await w.services.tools.call(ADA, play.session, "write_file", write("direct"));
      expect(textOf(String(row.state?.workspace), "one.txt")).toBe("direct");
      const all = await everything(w.log, play.session);
      expect((await branchAt(w, before)).one).toBe("1");
      const completed = all.find((event) => is(event, "runtime.tool.direct.completed"));
      for (const event of [completed, all.at(-1)]) {
        const { one, said } = await branchAt(w, event);
        expect([said["kind"], one]).toEqual(["restored", "direct"]);
      }
      const { files } = await w.services.offers.offer(ADA, play.session);
      expect(files).toMatchObject([{ path: "one.txt" }]);
    });
  },
);

test("a call that a person made and that failed to be kept is said in the branch", async () => {
  const l = lab();
  const w = worldOf(l, [[put("one.txt", "1")], [DONE]], {
    workspaces: { ...l.workspaces, keep: () => Promise.reject(new Error("The disk is full.")) },
  });
  const play = await start(w);
  await patiently(play, "completed");
  await w.services.tools.call(ADA, play.session, "write_file", write("direct"));
  expect(w.reported).not.toEqual([]);
  const { one, said } = await branchAt(w, (await everything(w.log, play.session)).at(-1));
  expect(one).toBe("1");
  expect(said["note"]).toMatch(/may be missing/);
});

test("a call that only reads, or that is refused, keeps nothing", async () => {
  const l = lab({ project: {} });
  const w = worldFor(l, [FIRST]);
  const id = await chat(w);
  await w.services.tools.call(ADA, id, "read_file", { path: "src/a.txt" });
  const outside = w.services.tools.call(ADA, id, "write_file", { path: "../out", content: "" });
  expect(await codeOf(outside)).toBe("tool_call_invalid");
  expect(await artifacts(w, id, "workspace_snapshot")).toEqual([]);
  expect(await l.workspaces.list()).toEqual([]);
});
