import type { SessionId } from "@fairlead/contract";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { scriptedModel } from "../../src/models/scripted.ts";
import { errorOf, type Frame, openSse, type Site, startSite } from "./support.ts";

const MODEL = scriptedModel({
  script: {
    rules: [
      {
        when: "begin",
        rounds: [[{ call: "delegate", with: { task: "Make the list." } }], [{ say: "{{result}}" }]],
      },
      {
        when: "make the list",
        rounds: [
          [{ call: "web_fetch", with: { url: "https://example.invalid/" } }],
          [{ say: "The list is made." }],
        ],
      },
    ],
  },
});

let site: Site;
beforeAll(async () => {
  site = await startSite({ models: [MODEL] });
});
afterAll(() => site.close());

interface Said {
  readonly type: string;
  readonly payload: Record<string, unknown>;
}

interface Rows {
  readonly rows: readonly Record<string, unknown>[];
}
const rowsOf = async (path: string): Promise<Rows["rows"]> =>
  ((await (await site.call(path)).json()) as Rows).rows;
const typesOf = (frames: readonly Frame[]) =>
  frames.flatMap(({ data }) => (data === null ? [] : [(JSON.parse(data) as { type: string }).type]));

describe("delegated work over HTTP", () => {
  let session: SessionId;

  test("streams the turn on while sub-agents work, and their questions are listed and decided at the top", async () => {
    session = await site.session();
    const stream = await openSse(site, `/chat/sessions/${session}/turns`, {
      method: "POST",
      body: { input: "begin" },
    });
    await stream.until((frames) => typesOf(frames).filter((type) => type === "subagent_event").length === 2);
    const said = stream.frames.flatMap(({ data }) => (data === null ? [] : [JSON.parse(data) as Said]));
    expect(said.filter(({ type }) => type === "approval_required")).toEqual([]);
    const told = said.findLast(({ type }) => type === "subagent_event")?.payload;
    expect(told).toMatchObject({ status: "awaiting_approval", tool_name: "web_fetch" });
    const detail = await (await site.call(`/chat/sessions/${session}`)).json();
    expect(detail).toMatchObject({ status: "awaiting_approval" });
    const asked = await rowsOf(`/approvals?session_id=${session}&state=pending`);
    expect(asked[0]?.["request_id"]).toBe(told?.["request_id"]);
    expect(asked).toMatchObject([
      { agent_id: "subagent_1", root_session_id: session, tool_name: "web_fetch" },
    ]);
    const decided = await site.call(`/approvals/${String(asked[0]?.["request_id"])}/decision`, {
      method: "POST",
      body: { decision: "denied" },
    });
    expect(decided.status).toBe(200);
    await stream.ended;
    const types = typesOf(stream.frames);
    expect(types.filter((type) => type === "turn_end")).toHaveLength(2);
    expect(types).toContain("completed");
    expect(types.at(-1)).toBe("session_state");
  });

  test("shows what was delegated with the session", async () => {
    const detail = (await (await site.call(`/chat/sessions/${session}`)).json()) as {
      subagents: readonly { session_id: string }[];
    };
    expect(detail.subagents).toMatchObject([
      { agent_id: "subagent_1", status: "completed", summary: "The list is made.", questions: [] },
    ]);
    const child = (await (
      await site.call(`/chat/sessions/${detail.subagents[0]?.session_id}`)
    ).json()) as object;
    expect(child).toMatchObject({ kind: "subagent", parent_session_id: session });
  });

  test("lists sessions of sub-agents when they are asked for, and takes no other word for it", async () => {
    expect((await rowsOf("/chat/sessions")).map(({ kind }) => kind)).not.toContain("subagent");
    expect((await rowsOf("/sessions")).map(({ kind }) => kind)).not.toContain("subagent");
    expect(await rowsOf("/sessions?kind=subagent")).toHaveLength(1);
    for (const path of ["/chat/sessions", "/sessions"]) {
      const kinds = (await rowsOf(`${path}?include=subagents`)).map(({ kind }) => kind);
      expect(kinds).toContain("subagent");
      expect(await errorOf(await site.call(`${path}?include=everything`))).toMatchObject({ status: 400 });
    }
  });
});
