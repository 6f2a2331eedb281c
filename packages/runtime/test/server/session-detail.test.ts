import { ChatSessionDetail, SessionDetail, type SessionId } from "@fairlead/contract";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { z } from "zod";
import { openSse, type Site, startSite } from "./support.ts";

let site: Site;
beforeAll(async () => {
  site = await startSite();
});
afterAll(() => site.close());

const json = async (path: string): Promise<unknown> => (await site.call(path)).json();

async function worked(): Promise<SessionId> {
  const session = await site.session();
  await site.call(`/chat/sessions/${session}/turns`, { method: "POST", body: { input: "hello" } });
  await site.idle(session);
  return session;
}

// Seed 000: session detail exposes resume points and persisted delegated-work state.
describe("the detail of a session", () => {
  test("of a chat has the row, resume points, sub-agents, artifacts and the channel", async () => {
    const session = await worked();
    const event = { agent_id: "subagent_1", status: "completed", parent_session_id: session };
    const artifact = { id: "g1", kind: "task_graph", summary: "Three steps." };
    const done = await site.runtime.log.append({
      writes: [
        {
          stream: session,
          events: [
            { type: "runtime.subagent.event", data: event },
            { type: "runtime.artifact.created", data: { artifact } },
          ],
        },
      ],
    });
    expect(done.ok).toBe(true);
    const detail = ChatSessionDetail.parse(await json(`/chat/sessions/${session}`));
    expect(detail).toMatchObject({ session_id: session, status: "idle", kind: "chat" });
    expect(detail.resume_points).toMatchObject([{ kind: "turn", label: "hello" }]);
    expect(detail.subagents).toMatchObject([event]);
    expect(detail.background_artifacts).toMatchObject([{ artifact_id: "g1", kind: "task_graph", artifact }]);
    const { channel } = detail;
    expect(channel.channel_id).toBe(`session:${session}`);
    expect(channel.participants.map(({ participant_id }) => participant_id)).toEqual([
      "runtime",
      "agent",
      "operator",
      "subagent:subagent_1",
    ]);
    const mirrored = (await json(`/sessions/${session}/events?limit=200`)) as {
      events: { id: string; type: string }[];
    };
    expect(channel.envelopes.map(({ event_id, event_type }) => [event_id, event_type])).toEqual(
      mirrored.events.map(({ id, type }) => [id, type]),
    );
    // The same log gives the same answer, byte for byte.
    const read = async () => (await site.call(`/chat/sessions/${session}`)).text();
    expect(await read()).toBe(await read());
  });

  test.each([
    ["short", "All done."],
    ["long", "A paragraph. ".repeat(100)],
    ["too long for the log", "A chapter. ".repeat(9_000)],
  ])("has how an artifact begins, and where the whole of it is read: %s", async (_, content) => {
    const session = await worked();
    const artifact = { id: "out", kind: "final_output", mime_type: "text/plain", content };
    const events = [{ type: "runtime.artifact.created" as const, data: { artifact } }];
    expect((await site.runtime.log.append({ writes: [{ stream: session, events }] })).ok).toBe(true);
    const { artifacts } = SessionDetail.parse(await json(`/sessions/${session}`));
    const { preview, content_path, artifact: listed } = artifacts[0] ?? {};
    expect(content.startsWith(String(preview).replace(/…$/, ""))).toBe(true);
    expect(preview?.length).toBeLessThanOrEqual(400);
    expect(preview === content).toBe(content.length <= 400);
    expect(listed).not.toHaveProperty("content");
    const read = await site.call(content_path ?? "");
    expect(read.status).toBe(200);
    expect(await read.text()).toContain(content);
  });

  test("of any session has checkpoints, artifacts and the same channel", async () => {
    const session = await worked();
    const branched = await site.call(`/chat/sessions/${session}/branch`, { method: "POST", body: {} });
    const { session_id } = (await branched.json()) as { session_id: string };
    const detail = SessionDetail.parse(await json(`/sessions/${session_id}`));
    expect(detail.checkpoints).toMatchObject([{ checkpoint_type: "resume_seed", session_id }]);
    expect(detail.artifacts).toEqual([]);
    const chat = ChatSessionDetail.parse(await json(`/chat/sessions/${session_id}`));
    expect(detail.channel).toEqual(chat.channel);
    // What it inherited can be branched from too; the channel is its own.
    expect(chat.resume_points.map(({ kind, session_id: of }) => [kind, of])).toEqual([
      ["turn", session],
      ["checkpoint", session_id],
    ]);
    expect(chat.channel.envelopes.map(({ event_type }) => event_type)).toEqual([
      "session_checkpoint",
      "session_state",
    ]);
  });

  test("is bounded: the last so many of each, also of a long session", async () => {
    const session = await site.session();
    await site.write(session, 300);
    const whole = ChatSessionDetail.parse(await json(`/chat/sessions/${session}`));
    expect(whole.channel.envelopes).toHaveLength(200);
    expect(whole.channel.envelopes.at(-1)?.seq).toBe(301);
    const few = ChatSessionDetail.parse(await json(`/chat/sessions/${session}?limit=3`));
    expect(few.channel.envelopes).toEqual(whole.channel.envelopes.slice(-3));
    const many = ChatSessionDetail.parse(await json(`/chat/sessions/${session}?limit=1000`));
    expect(many.channel.envelopes.map(({ seq }) => seq)).toEqual(
      Array.from({ length: 301 }, (_, i) => i + 1),
    );
  });

  test("has the newest checkpoints first, without those that were trimmed away, and never searches the log for them", async () => {
    const searched: unknown[] = [];
    const own = await startSite({
      runtime: {
        observe: (log) => ({
          ...log,
          read(stream, options) {
            if (options?.types !== undefined) searched.push(options.types);
            return log.read(stream, options);
          },
        }),
      },
    });
    const session = await own.session();
    for (const sequence of [1, 2, 3]) {
      const data = { session_id: session, sequence, checkpoint_type: "step", status: "running" };
      const event = { ...data, summary_text: `Step ${sequence}`, resume_cursor: null };
      const events = [{ type: "runtime.session.checkpoint", data: event } as const];
      await own.runtime.log.append({ writes: [{ stream: session, events }] });
      await own.write(session, 10);
    }
    const sequences = async (query = ""): Promise<number[]> => {
      const answer = await own.call(`/sessions/${session}${query}`);
      return SessionDetail.parse(await answer.json()).checkpoints.map(({ sequence }) => sequence);
    };
    expect(await sequences()).toEqual([3, 2, 1]);
    expect(await sequences("?limit=2")).toEqual([3, 2]);
    expect(searched).toEqual([]);
    await own.call(`/sessions/${session}/trim`, { method: "POST", body: { up_to: 14 } });
    // A trim looks for a snapshot.
    searched.length = 0;
    expect(await sequences()).toEqual([3]);
    expect(searched).toEqual([]);
    await own.close();
  });

  test("goes on where the oldest events were trimmed", async () => {
    const session = await worked();
    const { head_seq } = ChatSessionDetail.parse(await json(`/chat/sessions/${session}`));
    await site.call(`/sessions/${session}/trim`, { method: "POST", body: { up_to: head_seq - 2 } });
    const { channel, resume_points } = ChatSessionDetail.parse(await json(`/chat/sessions/${session}`));
    expect(channel.envelopes.every(({ seq }) => seq > head_seq - 2)).toBe(true);
    expect(resume_points.every(({ seq }) => seq > head_seq - 2)).toBe(true);
    expect((await site.call(`/chat/sessions/${session}/branch`, { method: "POST", body: {} })).status).toBe(
      201,
    );
  });
});

/** What a client knew of a session before any of this: kept as it was, and never to be changed. */
const OldState = z.object({ session_id: z.string(), status: z.string(), model: z.string().nullish() });
const OldRow = z.object({
  session_id: z.string(),
  kind: z.string(),
  status: z.enum([
    "idle",
    "queued",
    "running",
    "awaiting_approval",
    "paused",
    "recovering",
    "completed",
    "needs_review",
    "failed",
    "cancelled",
  ]),
  title: z.string().nullable(),
  project: z.string().nullable(),
  owner: z.enum(["user", "system"]),
  created_by: z.string().nullable(),
  turn_id: z.string().nullable(),
  head_seq: z.int(),
  created_at: z.string(),
  updated_at: z.string(),
  state: OldState.nullable(),
});

// Seed 000: `session_state` remains additive. New fields must not break existing clients.
describe("a client of the old shape", () => {
  test("reads rows, details and states that have grown, with fields that nobody has thought of yet", async () => {
    const session = await worked();
    const { state } = OldRow.parse(await json(`/chat/sessions/${session}`));
    const grown = {
      ...state!,
      session_id: session,
      status: "idle" as const,
      weather: { sky: "clear" },
      mood: 7,
    };
    const done = await site.runtime.log.append({
      writes: [{ stream: session, events: [{ type: "runtime.session.state", data: grown }] }],
    });
    expect(done.ok).toBe(true);
    for (const path of [
      `/chat/sessions/${session}`,
      `/sessions/${session}`,
      `/chat/sessions/${session}?_=1`,
    ]) {
      const reply = await json(path);
      expect(OldRow.parse(reply)).toMatchObject({ session_id: session, status: "idle", state });
      // They are passed on to who knows them.
      expect(reply).toMatchObject({ state: { weather: { sky: "clear" }, mood: 7 } });
    }
    const { rows } = (await json("/chat/sessions?limit=100")) as { rows: unknown[] };
    expect(
      z
        .array(OldRow)
        .parse(rows)
        .map(({ session_id }) => session_id),
    ).toContain(session);

    const stream = await openSse(site, `/sessions/${session}/events/stream`);
    await stream.until((frames) => frames.some(({ data }) => data?.includes("weather") === true));
    stream.close();
    const told = stream.frames.map(
      ({ data }) => JSON.parse(data ?? "{}") as { type?: string; payload?: unknown },
    );
    const states = told.filter(({ type }) => type === "session_state");
    expect(states.length).toBeGreaterThan(2);
    for (const { payload } of states) expect(OldState.parse(payload).session_id).toBe(session);
  });

  test("is given every field that seed 000 has for all sessions, from the first state on", async () => {
    const session = await site.session();
    const { events } = await site.runtime.log.read(session);
    expect(Object.keys(events[0]?.data as object)).toEqual(
      expect.arrayContaining([
        "session_id",
        "status",
        "provider",
        "model",
        "agent_profile",
        "permission_mode",
        "approval_mode",
        "think_level",
        "policy_path",
        "sandbox_mode",
        "sandbox_isolation",
      ]),
    );
    expect(events[0]?.data).toMatchObject({
      permission_mode: "normal",
      approval_mode: "on_request",
      think_level: "off",
      policy_path: "execution_mode -> approval_policy -> runtime_callbacks",
      sandbox_mode: expect.any(String),
      sandbox_isolation: expect.any(String),
    });
    const turned = await worked();
    const state = (await site.runtime.log.read(turned, { types: ["runtime.session.state"] })).events.at(-1);
    expect(Object.keys(state?.data as object)).toEqual(
      expect.arrayContaining(Object.keys(events[0]?.data as object)),
    );
  });
});
