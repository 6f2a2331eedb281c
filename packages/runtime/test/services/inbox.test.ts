import { afterAll, beforeAll, expect, test } from "vitest";
import { type Site, startSite } from "../server/support.ts";

let site: Site;
beforeAll(async () => {
  site = await startSite();
});
afterAll(() => site.close());

interface Entry {
  readonly session_id: string;
  readonly group: string;
  readonly seq: number;
}

async function inboxOf(secret: string): Promise<readonly Entry[]> {
  const response = await site.call("/inbox", { as: secret });
  expect(response.status).toBe(200);
  return ((await response.json()) as { entries: readonly Entry[] }).entries;
}

const groupOf = async (secret: string, session: string): Promise<string | undefined> =>
  (await inboxOf(secret)).find(({ session_id }) => session_id === session)?.group;

async function finished(): Promise<{ session: string; seq: number }> {
  const session = await site.session();
  await site.call(`/chat/sessions/${session}/turns`, { method: "POST", body: { input: "Hello" } });
  await site.idle(session);
  const entry = (await inboxOf(site.tokens.admin)).find(({ session_id }) => session_id === session);
  return { session, seq: entry?.seq ?? 0 };
}

test("seen follows the person: every credential of that name, and nobody else's", async () => {
  const { session, seq } = await finished();
  const desk = await site.token("operator", null, "ada");
  const phone = await site.token("viewer", null, "ada");
  const other = await site.token("operator", null, "bob");
  expect(await groupOf(desk.secret, session)).toBe("done");
  const done = await site.call(`/inbox/${session}/seen`, {
    as: desk.secret,
    method: "POST",
    body: { upto_seq: seq },
  });
  expect(await done.json()).toEqual({ session_id: session, seen_seq: seq });
  expect(await groupOf(phone.secret, session)).toBe("idle");
  expect(await groupOf(other.secret, session)).toBe("done");
});

test("what happens after it was seen is new again", async () => {
  const { session, seq } = await finished();
  await site.call(`/inbox/${session}/seen`, { method: "POST", body: { upto_seq: seq } });
  expect(await groupOf(site.tokens.admin, session)).toBe("idle");
  await site.call(`/chat/sessions/${session}/turns`, { method: "POST", body: { input: "Again" } });
  await site.idle(session);
  expect(await groupOf(site.tokens.admin, session)).toBe("done");
});

test("said twice, or for less, it writes nothing more", async () => {
  const { session, seq } = await finished();
  const seen = (upto_seq: number) =>
    site.call(`/inbox/${session}/seen`, { method: "POST", body: { upto_seq } });
  await seen(seq);
  const { head_seq } = (await (await site.call(`/sessions/${session}`)).json()) as { head_seq: number };
  expect(await (await seen(seq)).json()).toMatchObject({ seen_seq: seq });
  expect(await (await seen(1)).json()).toMatchObject({ seen_seq: seq });
  expect(await (await site.call(`/sessions/${session}`)).json()).toMatchObject({ head_seq });
});

test("a look takes what is done away, and leaves what failed until it is marked", async () => {
  const seen = (session: string, body: object) =>
    site.call(`/inbox/${session}/seen`, { method: "POST", body });
  const done = await finished();
  await seen(done.session, { upto_seq: done.seq, look: true });
  expect(await groupOf(site.tokens.admin, done.session)).toBe("idle");

  const failed = await site.session();
  const data = { turn_id: "trn_1", status: "failed", reason: "model_refused" } as const;
  await site.runtime.log.append({
    writes: [{ stream: failed, events: [{ type: "runtime.turn.ended", data }] }],
  });
  const { head_seq } = (await (await site.call(`/sessions/${failed}`)).json()) as { head_seq: number };
  expect(await (await seen(failed, { upto_seq: head_seq, look: true })).json()).toMatchObject({
    seen_seq: 0,
  });
  expect(await groupOf(site.tokens.admin, failed)).toBe("needs_review");
  expect((await seen(failed, { upto_seq: head_seq, look: "yes" })).status).toBe(400);
  await seen(failed, { upto_seq: head_seq });
  expect(await groupOf(site.tokens.admin, failed)).toBe("idle");
});

test("an inbox holds only what its person may see", async () => {
  const { session } = await finished();
  const elsewhere = await site.token("operator", "other-project", "eve");
  expect(await groupOf(elsewhere.secret, session)).toBeUndefined();
  const refused = await site.call(`/inbox/${session}/seen`, {
    as: elsewhere.secret,
    method: "POST",
    body: { upto_seq: 1 },
  });
  expect(refused.status).toBe(404);
});

test("an agent has no inbox", async () => {
  expect((await site.call("/inbox", { as: "agent" })).status).toBe(403);
});

test("who one is, by the credential that asks", async () => {
  const made = await site.token("viewer", "blue", "vera");
  expect(await (await site.call("/auth/me", { as: made.secret })).json()).toEqual({
    name: "vera",
    role: "viewer",
    project: "blue",
    expires_at: null,
  });
  expect((await site.call("/auth/me", { as: null })).status).toBe(401);
});
