import type { AnyEvent, SessionId } from "@fairlead/contract";
import { describe, expect, test } from "vitest";
import { is } from "../../src/domain/event.ts";
import type { Workspaces } from "../../src/ports/workspaces.ts";
import { ADA } from "../kernel/support.ts";
import { everything, type World } from "../support/world.ts";
import { branchAt, chat, FIRST, LOOK, OTHER, say, SECOND, textOf, worldFor } from "./support-chats.ts";
import { filesOf, lab } from "./support.ts";

async function endsOf(w: World, id: SessionId): Promise<readonly AnyEvent[]> {
  return (await everything(w.log, id)).filter((event) => is(event, "runtime.request.completed"));
}

/** Keeps until it is told to stop, as a project does that grows too large. */
function growing(workspaces: Workspaces) {
  const grown = { large: false };
  const keepProject: Workspaces["keepProject"] = async (order) =>
    grown.large ? { unkept: "too_large", why: "It has too many files." } : workspaces.keepProject(order);
  return { grown, workspaces: { ...workspaces, keepProject } };
}

describe.each([{ repository: true }, { repository: false }])(
  "whether a branch of a chat goes on in the project (repository: $repository)",
  (given) => {
    test("it does not where another session has written since, though this one only read", async () => {
      const l = lab({ ...given, project: {} });
      const w = worldFor(l, [FIRST, SECOND, LOOK]);
      const [id, neighbour] = [await chat(w), await chat(w)];
      await say(w, id, "first");
      await say(w, neighbour, "second");
      // The head of the chat is where the chat is: in the project, with what the other wrote.
      const [end] = await endsOf(w, id);
      const head = await branchAt(w, end);
      expect(head.said).toMatchObject({ kind: "project", note: expect.stringMatching(/as it is now/) });
      await say(w, id, "look");
      const found = await branchAt(w, end);
      expect([found.said["kind"], found.one]).toEqual(["restored", "1"]);
      expect(textOf(l.project, "one.txt")).toBe("2");
    });

    test("it does not where a person has changed a file since", async () => {
      const l = lab({ ...given, project: {} });
      const w = worldFor(l, [FIRST, LOOK]);
      const id = await chat(w);
      await say(w, id, "first");
      await say(w, id, "look");
      l.put("one.txt", "by hand");
      const [end] = await endsOf(w, id);
      const found = await branchAt(w, end);
      expect([found.said["kind"], found.one]).toEqual(["restored", "1"]);
    });

    test("it does, with nothing left of the look, where all is as it was", async () => {
      const l = lab({ ...given, project: {} });
      const w = worldFor(l, [FIRST, LOOK]);
      const id = await chat(w);
      await say(w, id, "first");
      await say(w, id, "look");
      const before = filesOf(`${l.data}/workspaces/records`);
      if (given.repository) {
        // The same files on another commit.
        l.git("add", "-A");
        l.git("commit", "--quiet", "-m", "Mine");
      }
      const [end] = await endsOf(w, id);
      expect((await branchAt(w, end)).said).toMatchObject({
        kind: "project",
        note: expect.stringMatching(/^Nothing that is kept was changed since/),
      });
      expect(filesOf(`${l.data}/workspaces/records`)).toEqual(before);
      expect(w.reported).toEqual([]);
    });

    test("it does, and says why, where the files were not kept: not once, and not with older ones", async () => {
      const l = lab({ ...given, project: {} });
      const { grown, workspaces } = growing(l.workspaces);
      const w = worldFor(l, [FIRST, SECOND, OTHER], { workspaces });
      const id = await chat(w);
      await say(w, id, "first");
      grown.large = true;
      await say(w, id, "second");
      await say(w, id, "other");
      await say(w, id, "first");
      const all = await everything(w.log, id);
      expect(all.filter((event) => is(event, "runtime.sandbox.notice"))).toHaveLength(1);
      const [kept, second, other] = await endsOf(w, id);
      const result = all.find(({ seq, type }) => seq > (kept?.seq ?? 0) && type === "agent.tool.result");
      for (const event of [result, second, other]) {
        const { row, said } = await branchAt(w, event);
        expect(said, event?.type).toEqual({
          kind: "project",
          note: expect.stringMatching(/could not be kept there.*as they are now\. It has too many files\./),
        });
        expect(row.state?.workspace_id ?? null).toBeNull();
      }
      // Up to where they were kept they are had.
      const found = await branchAt(w, kept);
      expect([found.said["kind"], found.one]).toEqual(["restored", "1"]);
      grown.large = false;
      await say(w, id, "second");
      await say(w, id, "first");
      const again = (await endsOf(w, id))[4];
      expect((await branchAt(w, again)).one).toBe("2");
      expect((await branchAt(w, second)).said).toMatchObject({ kind: "project" });
    });

    test("it has the snapshot's files where nobody can tell what the project has now", async () => {
      const l = lab({ ...given, project: {} });
      l.put("two.txt", "2");
      const { isAsKept } = l.again({ project: { files: 1 } });
      const w = worldFor(l, [FIRST, LOOK], { workspaces: { ...l.workspaces, isAsKept } });
      const id = await chat(w);
      await say(w, id, "first");
      await say(w, id, "look");
      const [end] = await endsOf(w, id);
      expect((await branchAt(w, end)).said).toMatchObject({ kind: "restored" });
    });
  },
);

test("it does not where a file differs that git was told not to look at", async () => {
  const l = lab({ project: {} });
  l.git("update-index", "--skip-worktree", "src/a.txt");
  const w = worldFor(l, [FIRST, LOOK]);
  const id = await chat(w);
  await say(w, id, "first");
  await say(w, id, "look");
  l.put("src/a.txt", "by hand");
  const { row, said } = await branchAt(w, (await endsOf(w, id))[0]);
  expect(said).toMatchObject({ kind: "restored" });
  expect(textOf(String(row.state?.workspace), "src/a.txt")).toBe("one\ntwo\nthree\n");
});

test("what a person's own call could not keep of a task workspace promises nothing of the project", async () => {
  const l = lab({ project: {} });
  const workspaces: Workspaces = {
    ...l.workspaces,
    keep: () => Promise.reject(new Error("The disk is full.")),
  };
  const w = worldFor(l, [FIRST, SECOND], { workspaces });
  const id = await chat(w);
  await say(w, id, "first");
  await say(w, id, "second");
  const { row } = await branchAt(w, (await endsOf(w, id))[0]);
  await w.services.tools.call(ADA, row.session_id, "write_file", { path: "one.txt", content: "direct" });
  const notice = (await everything(w.log, row.session_id)).findLast((event) =>
    is(event, "runtime.sandbox.notice"),
  );
  expect(notice?.data).toMatchObject({ resolved_backend: "task_workspace", details: { kept: false } });
});
