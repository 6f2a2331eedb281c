import { afterEach, describe, expect, it } from "vitest";
import type { LogStore } from "../../src/ports/log-store.ts";
import { loadCarried } from "../../src/services/loop/load.ts";
import { memory, postgres, sqlite } from "../stores.ts";
import { ADMIN, codeOf, handTime } from "../support/world.ts";
import { ADA, branchWorld, faults, say, whole, workedSession } from "./support.ts";

describe.each([memory, sqlite, postgres])("over $name", (kind) => {
  let close: () => Promise<void> = async () => {};
  afterEach(() => close());

  async function open() {
    const site = await kind.newSite();
    const time = handTime();
    const store: LogStore = await site.open(time.clock);
    const w = branchWorld({ time, store });
    close = async () => {
      await w.services.turns.stop("over");
      await w.log.close();
      await site.destroy();
    };
    return w;
  }

  it("a branch shares history by reference, and keeps it when the parent is trimmed and purged", async () => {
    const w = await open();
    const parent = await workedSession(w);
    const before = await whole(w, parent);
    const { resume_points } = await w.services.details.chat(ADA, parent);
    const point = resume_points.at(-1);
    expect(point).toMatchObject({ kind: "turn", label: "send it" });
    const { session_id: child, state } = await w.services.branches.branch(ADA, parent, {
      resume_cursor: point?.resume_cursor ?? "",
    });
    expect(state).toMatchObject({
      parent_session_id: parent,
      branch_source_event_id: point?.event_id,
      branch_resume_cursor: point?.resume_cursor,
    });
    const shared = await whole(w, child);
    const upTo = before.filter(({ seq }) => seq <= (point?.seq ?? 0));
    expect(shared.slice(0, upTo.length)).toEqual(upTo);
    expect(shared.slice(upTo.length).map(({ stream }) => stream)).toEqual([child, child]);

    await w.services.sessions.trim(ADMIN, parent, point?.seq ?? 0);
    expect(
      await codeOf(w.services.branches.branch(ADA, parent, { resume_cursor: point?.resume_cursor ?? "" })),
    ).toBe("history_trimmed");
    await w.services.sessions.purge(ADMIN, parent, "test");
    expect(await codeOf(w.services.branches.branch(ADA, parent, {}))).toBe("session_purged");
    expect(await whole(w, child)).toEqual(shared);

    await say(w, child, "hello again");
    const { state: loop } = await loadCarried(w.log, child);
    expect(faults(loop.messages)).toEqual([]);
    expect(loop.messages.filter(({ role }) => role === "user").map(({ text }) => text)).toEqual([
      "hello",
      "send it",
      "hello again",
    ]);
    // From what it inherited of a session that is gone, too.
    const first = resume_points[0];
    const again = await w.services.branches.branch(ADA, child, { from_event_id: first?.event_id ?? "" });
    expect(again).toMatchObject({
      parent_session_id: parent,
      state: { branch_resume_cursor: first?.resume_cursor },
    });
    expect((await whole(w, again.session_id)).filter(({ stream }) => stream === child)).toEqual([]);
    expect((await w.log.verify()).broken).toEqual([]);
    expect(w.reported).toEqual([]);
  });

  it("rows of sub-agents and artifacts are kept with their session, whatever their names, and go with it", async () => {
    const w = await open();
    const { session_id } = await w.services.sessions.create(ADA, {});
    const { session_id: other } = await w.services.sessions.create(ADA, {});
    const wild = `a\u0000b${"x".repeat(5_000)}`;
    const about = (status: string, more: object = {}) =>
      ({
        type: "runtime.subagent.event",
        data: { agent_id: wild, status, parent_session_id: session_id, ...more },
      }) as const;
    const made = (id: string, summary: string) =>
      ({
        type: "runtime.artifact.created",
        data: { artifact: { id, kind: "task_graph", summary, content: `${"so ".repeat(500)}long` } },
      }) as const;
    const append = (
      stream: typeof session_id,
      events: readonly (ReturnType<typeof about> | ReturnType<typeof made>)[],
    ) => w.log.append({ writes: [{ stream, events }] });
    await append(session_id, [about("started", { task: "Look", session_id: other }), made(wild, "one")]);
    await append(session_id, [made("b", "two"), about("completed", { reason: "found it" })]);
    await append(other, [made("b", "another session's")]);

    const { subagents, background_artifacts } = await w.services.details.chat(ADA, session_id);
    expect(subagents).toMatchObject([
      { status: "completed", task: "Look", session_id: other, reason: "found it", seq: 5 },
    ]);
    expect(background_artifacts.map(({ artifact }) => artifact.summary)).toEqual(["two", "one"]);
    // A row has how it begins; the rest is in the log.
    expect(background_artifacts.every(({ preview }) => preview?.startsWith("so so"))).toBe(true);
    expect(JSON.stringify(background_artifacts)).not.toContain("long");
    await append(session_id, [made(wild, "three")]);
    const { artifacts } = await w.services.details.session(ADA, session_id, { limit: 1 });
    expect(artifacts.map(({ artifact }) => artifact.summary)).toEqual(["three"]);
    await w.services.sessions.purge(ADMIN, session_id, "test");
    expect((await w.log.rows("artifact", { stream: session_id, scope: { owner: "any" } })).rows).toEqual([]);
  });
});
