import { setTimeout as sleep } from "node:timers/promises";
import { afterEach, expect, test, vi } from "vitest";
import { createClient } from "../../../client/src/index.ts";
import { type Site, startSite } from "./support.ts";

let site: Site;
afterEach(() => site.close());

const found = { streams: 2, events: 30, broken: [] };

test("a long check keeps its line alive, and is an answer like any other to the client", async () => {
  site = await startSite({ config: { limits: { heartbeatMs: 30 } } });
  vi.spyOn(site.runtime.log, "verify").mockImplementation(async () => (await sleep(200), found));
  const answer = await site.call("/verify", { method: "POST", body: {} });
  expect(answer.status).toBe(200);
  expect(answer.headers.get("content-type")).toContain("application/json");
  expect(await answer.text()).toMatch(/^ {3,}\{"ok":true,"streams":2,"events":30,"broken":\[\]\}$/);
  const client = createClient({ url: site.url, token: site.tokens.admin });
  expect(await client.call("verifyLog", { body: {} })).toEqual({ ok: true, ...found });
});

test("one that fails late is cut off, and nobody takes it for an answer", async () => {
  site = await startSite({ config: { limits: { heartbeatMs: 30 } } });
  vi.spyOn(site.runtime.log, "verify").mockImplementation(async () => {
    await sleep(100);
    throw new Error("the disk is gone");
  });
  const client = createClient({ url: site.url, token: site.tokens.admin });
  await expect(client.call("verifyLog", { body: {} })).rejects.toMatchObject({ code: "server_unreachable" });
  expect((await site.call("/healthz")).status).toBe(200);
});

test("others are answered while it runs", async () => {
  site = await startSite();
  const session = await site.session();
  for (let i = 0; i < 60; i++) await site.write(session, 1_000);
  let over = false;
  const verified = site.call("/verify", { method: "POST", body: {} }).then(async (answer) => {
    over = true;
    return answer.json();
  });
  await sleep(20);
  let between = 0;
  while (!over && between < 3) {
    await site.call("/healthz");
    if (!over) between += 1;
  }
  expect(between).toBe(3);
  expect(await verified).toMatchObject({ ok: true });
}, 60_000);
