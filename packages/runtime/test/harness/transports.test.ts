import { statSync } from "node:fs";
import { join } from "node:path";
import { PassThrough } from "node:stream";
import { multiplex, type Transport } from "@fairlead/ahp";
import { http } from "@fairlead/ahp/http";
import { lineLink } from "@fairlead/ahp/stdio";
import { unix } from "@fairlead/ahp/unix";
import { websocket } from "@fairlead/ahp/websocket";
import { describe, expect, onTestFinished, test } from "vitest";
import { listen, serveParent } from "../../src/harness/listen.ts";
import { openSse } from "../server/support.ts";
import { action, dataOf, type Stand, stand, tempDir } from "./support.ts";

const LOOPBACK = { host: "127.0.0.1", port: 0 };

interface Opened {
  readonly transport: Transport;
  /** The name under which the agent is written into the log. */
  readonly actor: string;
}

const TRANSPORTS: Record<string, (place: Stand) => Promise<Opened>> = {
  async unix({ harness }) {
    const path = join(tempDir(), "h.sock");
    const listening = await listen(harness, { unix: path, localAgent: "bot" });
    onTestFinished(listening.close);
    expect(statSync(path).mode & 0o777).toBe(0o600);
    return { transport: unix({ path }), actor: "bot" };
  },
  async http({ harness, site }) {
    const listening = await listen(harness, { http: LOOPBACK, localAgent: "bot" });
    onTestFinished(listening.close);
    return {
      transport: http({ url: listening.http ?? "", auth: { token: site.tokens.agent } }),
      actor: "agent",
    };
  },
  async websocket({ harness, site }) {
    const listening = await listen(harness, { websocket: LOOPBACK, localAgent: "bot" });
    onTestFinished(listening.close);
    return {
      transport: websocket({ url: listening.websocket ?? "", auth: { apiKey: site.tokens.agent } }),
      actor: "agent",
    };
  },
  "http beside the API": async ({ site }) => ({
    transport: http({ url: `${site.url}/ahp`, auth: { token: site.tokens.agent } }),
    actor: "agent",
  }),
  "websocket beside the API": async ({ site }) => ({
    transport: websocket({
      url: `${site.url.replace("http", "ws")}/ahp`,
      auth: { token: site.tokens.agent },
    }),
    actor: "agent",
  }),
  async stdio({ harness }) {
    const [input, output] = [new PassThrough(), new PassThrough()];
    const served = serveParent(harness, "child", { input, output });
    onTestFinished(async () => {
      input.end();
      await served;
    });
    const transport: Transport = {
      name: "stdio",
      lifetime: "process",
      connect: async ({ onStray }) => multiplex(lineLink(output, input), { onStray }),
    };
    return { transport, actor: "child" };
  },
};

describe.each(Object.keys(TRANSPORTS))("over %s", (name) => {
  test("an agent's session is a session like any other", async () => {
    const place = await stand();
    const { transport, actor } = await (TRANSPORTS[name] as (place: Stand) => Promise<Opened>)(place);
    const feed = await openSse(place.site, "/events/stream?tier=debug");
    onTestFinished(feed.close);
    const agent = await place.agent(transport, {
      sessionId: "their-name",
      agent: { framework: "py", version: "9" },
    });
    await agent.notify("session_start", { goal: "tests" });
    expect(await agent.decide("pre_action", action("ls"))).toEqual({ decision: "allow" });
    const held = agent.decide("pre_action", action("push"));
    const question = await place.pending();
    expect(await agent.decide("pre_action", action("rm"))).toMatchObject({ decision: "block" });
    await place.decide(question, { decision: "approved" });
    expect(await held).toEqual({ decision: "allow" });

    const row = await place.session("their-name");
    expect(row).toMatchObject({
      kind: "supervised",
      status: "running",
      created_by: actor,
      state: { engine: "py 9", runner_kind: "ahp" },
    });
    const listed = (await (await place.site.call("/sessions?kind=supervised")).json()) as {
      sessions: { session_id: string }[];
    };
    expect(JSON.stringify(listed)).toContain(row.session_id);
    await feed.until((frames) => frames.some(({ data }) => data?.includes(question.request_id) ?? false));
    const events = await place.events("their-name");
    expect(dataOf(events, "runtime.supervision.asked")).toHaveLength(3);
    expect(dataOf(events, "runtime.supervision.answered")).toHaveLength(3);
  });
});

test("a WebSocket of its own is served at any path", async () => {
  const place = await stand();
  const listening = await listen(place.harness, { websocket: LOOPBACK, localAgent: "bot" });
  onTestFinished(listening.close);
  for (const path of ["/", "/ahp", "/some/where?else=1"]) {
    const url = new URL(path, listening.websocket).href;
    const agent = await place.agent(websocket({ url, auth: { token: place.site.tokens.agent } }));
    expect(await agent.decide("pre_action", action("ls"))).toEqual({ decision: "allow" });
  }
});

describe("who may speak", () => {
  test("agents only: no token, a wrong one, or a person's is refused", async () => {
    const place = await stand();
    const listening = await listen(place.harness, { http: LOOPBACK, websocket: LOOPBACK, localAgent: "bot" });
    onTestFinished(listening.close);
    for (const token of [
      "wrong",
      place.site.tokens.operator,
      place.site.tokens.admin,
      place.site.tokens.viewer,
    ]) {
      await expect(
        place.agent(http({ url: listening.http ?? "", auth: { token } }), { maxRetries: 0 }),
      ).rejects.toThrow(/401|refused|unreachable/);
      await expect(
        place.agent(websocket({ url: listening.websocket ?? "", auth: { token } }), { maxRetries: 0 }),
      ).rejects.toThrow(/401|refused|unreachable/);
    }
  });

  test("an agent's token decides nothing", async () => {
    const place = await stand({ harness: { timeoutMs: 200 } });
    const { transport } = await (TRANSPORTS["http"] as (place: Stand) => Promise<Opened>)(place);
    const agent = await place.agent(transport);
    expect(await agent.decide("pre_action", action("push"))).toMatchObject({ decision: "defer" });
    const { request_id } = await place.pending();
    const tried = await place.site.call(`/approvals/${request_id}/decision`, {
      as: "agent",
      method: "POST",
      body: { decision: "approved" },
    });
    expect(tried.status).toBe(403);
    expect(await agent.decide("pre_action", action("push"))).toMatchObject({ decision: "defer" });
  });

  test("a name belongs to the agent that uses it", async () => {
    const place = await stand();
    const listening = await listen(place.harness, { http: LOOPBACK, localAgent: "bot" });
    onTestFinished(listening.close);
    const secrets = [place.site.tokens.agent, (await place.site.token("agent", null, "other")).secret];
    for (const token of secrets) {
      const agent = await place.agent(http({ url: listening.http ?? "", auth: { token } }), {
        sessionId: "same",
      });
      await agent.decide("pre_action", action("ls"));
    }
    const listed = await (await place.site.call("/sessions?kind=supervised", { as: "agent" })).text();
    expect(listed).not.toContain('"other"');
    expect(listed.match(/"session_id":"ses_/g)?.length).toBeGreaterThan(0);
  });
});
