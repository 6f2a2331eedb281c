import { existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as passes } from "node:timers/promises";
import { expect, test } from "vitest";
import { call, makePlace } from "../../packages/cli/test/support.ts";
import { runSql } from "../../packages/runtime/test/support/postgres.ts";
import { type Seen, violations } from "./check.ts";
import { makeCluster } from "./cluster.ts";
import type { Member } from "./member.ts";
import { answerAll } from "./operator.ts";
import { endedTurns, whatWasSeen } from "./witness.ts";

const SCRIPT = { rules: [{ rounds: [[{ call: "hold" }], [{ call: "send" }], [{ say: "Done." }]] }] };

async function until(isSo: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await isSo())) await passes(20);
}

/** Two members, of which the first is in the middle of a tool that ends when it is let. */
async function inTheMiddle(args: readonly string[] = []) {
  const cluster = await makeCluster({ members: 2, script: SCRIPT, args });
  const [first, second] = cluster.members as [Member, Member];
  await first.start();
  const body = { task: "Hold it, then send it.", permission_mode: "full_access" } as const;
  const { session_id } = await cluster.client(() => first.url()).call("startSession", { body });
  await until(() => existsSync(join(cluster.folder, "held")));
  await second.start();
  const url = first.url() ?? "";
  const ask = (path: string, init: RequestInit = {}) =>
    fetch(`${url}${path}`, {
      ...init,
      headers: { authorization: `Bearer ${cluster.token}`, "content-type": "application/json" },
    });
  return { cluster, first, second, session_id, ask };
}

type Scene = Awaited<ReturnType<typeof inTheMiddle>>;

/** What came of it, once the session has ended. */
async function theEnd({ cluster }: Scene): Promise<readonly Seen[]> {
  await until(async () => (await endedTurns(cluster.store)) === 1);
  const chronicle = await whatWasSeen(cluster.store, cluster.deeds());
  expect(violations(chronicle)).toEqual([]);
  // What health makes of it may come after.
  const state = chronicle.events.findLast(({ type }) => type === "runtime.session.state");
  expect(state).toMatchObject({ data: { status: "completed" } });
  return chronicle.events;
}

const isDraining = async ({ ask }: Scene) => (await ask("/readyz")).status === 503;
const typesOf = (events: readonly Seen[]) => events.map(({ type }) => type);

test("SIGTERM hands a session over at the end of its step, and another goes on with it at once", async () => {
  const scene = await inTheMiddle();
  const { cluster, first, second, session_id, ask } = scene;
  // Nobody can take it over, so that it is seen what the first leaves.
  second.freeze();
  const stream = await ask(`/sessions/${session_id}/events/stream`);
  const ending = first.terminate();
  await until(() => isDraining(scene));

  expect(await (await ask("/readyz")).json()).toMatchObject({ code: "shutting_down" });
  const refused = await ask("/sessions", { method: "POST", body: JSON.stringify({ task: "Too late." }) });
  expect([refused.status, ((await refused.json()) as { code: string }).code]).toEqual([503, "shutting_down"]);
  expect((await ask(`/sessions/${session_id}/events/stream`)).status).toBe(503);
  expect(await stream.text()).toMatch(/event: end\n(.|\n)*shutting_down/);
  // What only looks, or decides, is answered to the end.
  expect((await ask("/healthz")).status).toBe(200);
  expect((await ask(`/sessions/${session_id}`)).status).toBe(200);

  writeFileSync(join(cluster.folder, "go"), "");
  expect(await ending).toBe(0);
  const held = "select id from fairlead.streams where lease_holder is not null";
  expect(await runSql(cluster.store, held)).toEqual([]);
  expect(typesOf((await whatWasSeen(cluster.store, [])).events).at(-1)).toBe("runtime.session.state");

  second.thaw();
  const events = await theEnd(scene);
  expect(typesOf(events)).not.toContain("runtime.effect.verdict");
  expect(events.find(({ type }) => type === "runtime.turn.resumed")).toMatchObject({ by: second.life() });
  expect(cluster.deeds()).toHaveLength(2);
  expect(new Set(events.map(({ stream }) => stream))).toEqual(new Set([session_id]));
}, 120_000);

test("the time to drain is a number, or nothing is started", async () => {
  const refused = await call(makePlace(), ["serve", "--drain", "soon"]);
  expect(refused).toMatchObject({ code: 2, stderr: expect.stringContaining("A number of seconds.") });
});

/** What was said of the call that was lost, while a person answers what is asked. */
async function verdicts(scene: Scene): Promise<readonly unknown[]> {
  const { cluster, second } = scene;
  const over = new AbortController();
  const answering = answerAll(
    cluster.client(() => second.url()),
    cluster.deeds,
    over.signal,
  );
  try {
    return verdictsIn(await theEnd(scene));
  } finally {
    over.abort();
    await answering.catch(() => {});
  }
}

function verdictsIn(events: readonly Seen[]): readonly unknown[] {
  return events
    .filter(({ type }) => type === "runtime.effect.verdict")
    .map(({ data }) => (data as { verdict: string }).verdict);
}

test("what is not done in time is cut short, which is no failure of it: a person is asked", async () => {
  const scene = await inTheMiddle(["--drain", "0"]);
  expect(await scene.first.terminate()).toBe(0);
  expect(await verdicts(scene)).toEqual(["ask", "happened"]);
}, 120_000);

test("a second SIGTERM ends it at once: what ran is lost, and a person is asked", async () => {
  const scene = await inTheMiddle();
  const { first } = scene;
  const ending = first.terminate();
  await until(() => isDraining(scene));
  // Right after the first it would be taken for its echo.
  const again = setInterval(() => void first.terminate(), 100);
  expect(await ending).toBe(143);
  clearInterval(again);
  expect(await verdicts(scene)).toEqual(["ask", "happened"]);
}, 120_000);
