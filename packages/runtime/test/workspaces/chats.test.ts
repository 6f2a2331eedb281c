import type { SessionId } from "@fairlead/contract";
import { describe, expect, test } from "vitest";
import { is } from "../../src/domain/event.ts";
import { plainSandbox } from "../../src/host/plain-sandbox.ts";
import { ADA } from "../kernel/support.ts";
import { shellIn } from "../tools/sandbox-support.ts";
import { everything } from "../support/world.ts";
import { artifacts, DONE, put } from "./support-background.ts";
import { branchAt, chat, FIRST, LOOK, OTHER, READ, say, SECOND, textOf, worldFor } from "./support-chats.ts";
import { filesOf, lab, untouched } from "./support.ts";

describe.each([{ repository: true }, { repository: false }])("a chat (repository: $repository)", (given) => {
  test("is branched from before a write with the files as they were, and goes on in a place of its own", async () => {
    const l = lab({ ...given, project: {} });
    l.put("kept.txt", "k");
    l.put(".env", "TOKEN=hunter2");
    const w = worldFor(l, [FIRST, SECOND, OTHER]);
    const id = await chat(w);
    await say(w, id, "first");
    await say(w, id, "second");
    const all = await everything(w.log, id);
    const result = all.find(
      (event) => is(event, "agent.tool.result") && event.data.tool_name !== "read_file",
    );
    for (const [event, one] of [
      [all[0], null],
      [result, "1"],
      [all.find((event) => is(event, "runtime.request.completed")), "1"],
      [all.findLast((event) => is(event, "agent.tool.batch")), "1"],
    ] as const) {
      const found = await branchAt(w, event);
      expect(found.one, event?.type).toBe(one);
      expect(found.said).toMatchObject({ kind: "restored", method: given.repository ? "clone" : "copy" });
      expect(found.said["note"]).toBeUndefined();
      const root = String(found.row.state?.workspace);
      expect([textOf(root, "kept.txt"), textOf(root, ".env")]).toEqual(["k", null]);
    }
    const { row } = await branchAt(w, result);
    expect(row.state?.workspace_id).toBe(row.session_id.replace("ses_", "ws_"));
    const own = await everything(w.log, row.session_id);
    expect(own.find(({ type }) => type === "runtime.sandbox.notice")?.data).toMatchObject({
      requested_backend: "chat_session",
      resolved_backend: "task_workspace",
      reason: expect.stringMatching(/with the files as they were at event \d+/),
    });
    await say(w, row.session_id, "other");
    expect(textOf(String(row.state?.workspace), "two.txt")).toBe("b");
    expect([textOf(l.project, "one.txt"), textOf(l.project, "two.txt")]).toEqual(["2", null]);
    const [change] = await artifacts(w, row.session_id, "workspace_change");
    expect(change).toMatchObject({ files: [{ path: "two.txt", status: "added" }] });
    expect(change?.["branch"]).toBe(given.repository ? `fairlead/${row.session_id}` : null);
    const compared = await w.services.comparisons.compare(ADA, id, row.session_id);
    const names = (files: readonly { path: string }[] | null) => files?.map(({ path }) => path);
    expect(names(compared.a.files)).toEqual(["one.txt"]);
    expect(names(compared.b.files)).toEqual(["two.txt"]);
    expect(names(compared.files?.changed ?? null)).toEqual(["one.txt", "two.txt"]);
    expect(w.reported).toEqual([]);
  });

  test("is branched at its head, or where nothing was written since, into the project itself", async () => {
    const l = lab({ ...given, project: {} });
    const w = worldFor(l, [FIRST, LOOK, OTHER]);
    const id = await chat(w);
    await say(w, id, "first");
    const last = (await everything(w.log, id)).at(-1);
    await say(w, id, "look");
    for (const [event, note] of [
      [last, /^Nothing that is kept was changed since/],
      [(await everything(w.log, id)).at(-1), /^It goes on where the session stands/],
    ] as const) {
      const { row, said } = await branchAt(w, event);
      expect(said).toMatchObject({ kind: "project", note: expect.stringMatching(note) });
      expect([row.state?.workspace_id ?? null, row.state?.workspace ?? null]).toEqual([null, null]);
      await say(w, row.session_id, "other");
      // It has written since, though not in the chat: what was before that is had back.
      expect(textOf(l.project, "two.txt")).toBe("b");
      const before = (await everything(w.log, row.session_id)).find(({ seq }) => seq > (event?.seq ?? 0));
      const again = await branchAt(w, before);
      expect(again.one).toBe("1");
    }
    expect(await l.workspaces.find(`${id.replace("ses_", "ws_")}`)).toMatchObject({ keeps: "project" });
  });

  test("keeps what the user changed between two turns, and what a sub-agent wrote", async () => {
    const l = lab({ ...given, project: {} });
    const w = worldFor(l, [
      FIRST,
      SECOND,
      { when: "hand", rounds: [[{ call: "delegate", with: { task: "paint" } }], [DONE]] },
      { when: "paint", rounds: [[put("one.txt", "painted")], [DONE]] },
    ]);
    const id = await chat(w);
    await say(w, id, "first");
    l.put("one.txt", "mine");
    await say(w, id, "hand");
    await say(w, id, "second");
    const all = await everything(w.log, id);
    const started = all.find((event) => is(event, "runtime.subagent.event"));
    const begun = all.filter((event) => is(event, "runtime.request.started"));
    const first = all.find((event) => is(event, "runtime.request.completed"));
    const delegated = all.find(
      (event) => is(event, "agent.tool.outcome") && event.data.tool_name === "delegate",
    );
    // The turn began with what the user had changed; the one before it ended without.
    expect((await branchAt(w, first)).one).toBe("1");
    expect((await branchAt(w, begun[1])).one).toBe("mine");
    expect((await branchAt(w, delegated)).one).toBe("painted");
    const child = (started?.data as { session_id: SessionId } | undefined)?.session_id;
    const below = await everything(w.log, child ?? ("" as SessionId));
    expect((await branchAt(w, below[0])).one).toBe("mine");
  });

  test("is not held up, and says it once, where the project is too much", async () => {
    const l = lab({ ...given, project: { files: 1 } });
    l.put("a.txt", "a");
    l.put("b.txt", "b");
    const w = worldFor(l, [FIRST, SECOND]);
    const id = await chat(w);
    await say(w, id, "first");
    await say(w, id, "second");
    const all = await everything(w.log, id);
    const notices = all.filter((event) => is(event, "runtime.sandbox.notice"));
    expect(notices.map(({ data }) => data)).toEqual([
      expect.objectContaining({
        requested_backend: "chat_session",
        resolved_backend: "project",
        details: { kept: false, unkept: "too_large", why: expect.stringMatching(/more than 1 files/) },
      }),
    ]);
    expect(textOf(l.project, "one.txt")).toBe("2");
    const { row, said } = await branchAt(w, all[1]);
    expect(said).toMatchObject({
      kind: "project",
      note: expect.stringMatching(/as they are now\. They were not kept\. It has more than/),
    });
    expect(row.state?.workspace_id ?? null).toBeNull();
    expect(await l.workspaces.list()).toEqual([]);
    expect(w.reported).toEqual([]);
  });
});

test("a turn that only reads keeps nothing, and looks at nothing", async () => {
  const l = lab({ project: {} });
  const w = worldFor(l, [LOOK], {
    workspaces: {
      ...l.workspaces,
      keepProject: () => Promise.reject(new Error("Nobody was to look.")),
    },
  });
  const id = await chat(w);
  await say(w, id, "look");
  expect(await artifacts(w, id, "workspace_snapshot")).toEqual([]);
  expect(w.reported).toEqual([]);
  expect((await branchAt(w, (await everything(w.log, id)).at(-1))).said).toMatchObject({ kind: "project" });
});

test("nor does one whose commands are known to read", async () => {
  const l = lab({ project: {} });
  const looks: string[] = [];
  const w = worldFor(
    l,
    [
      { when: "cat", rounds: [[{ call: "shell", with: { command: "cat src/a.txt" } }], [DONE]] },
      { when: "odd", rounds: [[{ call: "shell", with: { command: "./cat src/a.txt" } }], [DONE]] },
    ],
    {
      tools: [shellIn(plainSandbox({ requested_backend: "none", reason: "Asked for." }))],
      workspaces: {
        ...l.workspaces,
        keepProject: (order) => (looks.push(order.id), l.workspaces.keepProject(order)),
      },
    },
  );
  const id = await chat(w);
  await say(w, id, "cat");
  expect(looks).toEqual([]);
  await say(w, id, "odd");
  expect(looks).toHaveLength(2);
});

test("what goes wrong with keeping is reported and said, and the chat goes on", async () => {
  const l = lab({ project: {} });
  const w = worldFor(l, [FIRST, { when: "x", rounds: [[READ]] }], {
    workspaces: { ...l.workspaces, keepProject: () => Promise.reject(new Error("The disk is full.")) },
  });
  const id = await chat(w);
  await say(w, id, "first");
  expect(textOf(l.project, "one.txt")).toBe("1");
  expect(w.reported).not.toEqual([]);
  const all = await everything(w.log, id);
  expect(all.filter(({ data }) => JSON.stringify(data).includes('"kept":false'))).toHaveLength(1);
  const { said } = await branchAt(w, (await everything(w.log, id))[1]);
  expect(said).toMatchObject({ kind: "project", note: expect.stringMatching(/They were not kept/) });
});

test("what is kept of a chat touches nothing under the user's hands, and goes with the chat", async () => {
  const l = lab({ project: {} });
  l.put("src/a.txt", "half done\n");
  l.put("staged.txt", "s");
  l.git("add", "staged.txt");
  const looked = (): Record<string, unknown> => ({
    ...untouched(l),
    refs: l.git("for-each-ref"),
    objects: l.git("count-objects", "-v"),
  });
  const before = looked();
  const w = worldFor(l, [FIRST, SECOND]);
  const id = await chat(w);
  await say(w, id, "first");
  await say(w, id, "second");
  await branchAt(w, (await everything(w.log, id))[0]);
  expect(looked()).toEqual({ ...before, files: { ...(before["files"] as object), "one.txt": "2" } });
  expect(l.git("worktree", "list").trim().split("\n")).toHaveLength(1);
  expect(await l.workspaces.forget(id.replace("ses_", "ws_"))).toBe(true);
  expect(Object.keys(filesOf(l.data)).filter((path) => path.includes(id.replace("ses_", "ws_")))).toEqual([]);
});
