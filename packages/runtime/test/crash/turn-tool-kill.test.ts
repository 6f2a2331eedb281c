import { once } from "node:events";
import { existsSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { AnyEvent, QuestionRow, SessionId } from "@fairlead/contract";
import { afterEach, describe, expect, it } from "vitest";
import type { Runtime } from "../../src/create-runtime.ts";
import { createRedactor } from "../../src/log/redact.ts";
import { createQuestions } from "../../src/services/questions.ts";
import type { Services } from "../../src/services/types.ts";
import { temporaryFolder } from "../stores.ts";
import { ADMIN, codeOf, everything } from "../support/world.ts";
import { startChild } from "./child.ts";
import { openKillScene, until } from "./tool-kill-scene.ts";

type Settings = Parameters<Services["sessions"]["create"]>[1];
type Decision = Parameters<Services["questions"]["decide"]>[2];

const left: (() => unknown)[] = [];
afterEach(async () => {
  for (const undo of left.splice(0).toReversed()) await undo();
});

interface Site {
  readonly session: SessionId;
  open(): Promise<Runtime>;
  /** Each line is an effect that took place. */
  effects(): readonly string[];
}

/** A session whose process was killed with -9 as soon as it said `at`. */
async function killed(tool: string, at: "running" | "parked", settings: Settings): Promise<Site> {
  const [data, work] = [temporaryFolder(), temporaryFolder()];
  left.push(data.remove, work.remove);
  const open = async () => {
    const runtime = await openKillScene(data.path, work.path);
    left.push(() => runtime.stop());
    return runtime;
  };
  const first = await open();
  const { session_id: session } = await first.services.sessions.create(ADMIN, settings);
  await first.stop();
  const hang = join(work.path, "hang");
  writeFileSync(hang, "");
  const child = startChild("./tool-kill-child.ts", [data.path, work.path, session, tool]);
  const ended = once(child, "close");
  let said = "";
  for await (const chunk of child.stdout.setEncoding("utf8")) {
    said += String(chunk);
    if (said.includes("\n")) child.kill("SIGKILL");
  }
  expect([said, (await ended)[1]]).toEqual([`${at}\n`, "SIGKILL"]);
  rmSync(hang);
  const file = join(work.path, "effects.txt");
  const effects = () => (existsSync(file) ? readFileSync(file, "utf8").trim().split("\n") : []);
  return { session, open, effects };
}

async function pending(runtime: Runtime, session: SessionId): Promise<QuestionRow> {
  const { rows } = await until(
    () => runtime.services.questions.list(ADMIN, { session_id: session, state: "pending" }),
    (page) => page.rows.length > 0,
  );
  expect(rows).toHaveLength(1);
  return rows[0] as QuestionRow;
}

function dataOf(events: readonly AnyEvent[], type: string): Record<string, unknown>[] {
  return events.filter((event) => event.type === type).map((event) => event.data as Record<string, unknown>);
}

/** The log of a turn that has completed, once. */
async function completed(runtime: Runtime, session: SessionId): Promise<readonly AnyEvent[]> {
  await until(
    () => runtime.services.sessions.get(ADMIN, session),
    ({ turn_id }) => turn_id === null,
  );
  const events = await everything(runtime.log, session);
  const ends = dataOf(events, "runtime.turn.ended").filter(({ status }) => status !== "parked");
  expect(ends).toMatchObject([{ status: "completed" }]);
  expect(dataOf(events, "runtime.request.completed")).toMatchObject([{ output: "All of it is done." }]);
  expect((await runtime.log.verify()).broken).toEqual([]);
  return events;
}

const ASKS: readonly [string, Decision, number, string, string][] = [
  ["it happened", yes({ outcome: "happened" }), 1, "happened", "ok"],
  ["to run it again", yes({ outcome: "run_again" }), 2, "run_again", "ok"],
  ["to give it up", yes({ outcome: "give_up" }), 1, "give_up", "error"],
  ["the label that it is shown", yes("It happened"), 1, "happened", "ok"],
  ["no", { decision: "denied" }, 1, "give_up", "error"],
];

function yes(answer: unknown): Decision {
  return { decision: "approved", answer } as Decision;
}

describe("a process killed with -9 inside a tool", () => {
  it.each(ASKS)(
    "asks about what must not be done twice; a person says %s",
    async (_, decision, times, verdict, status) => {
      const { session, open, effects } = await killed("send", "running", { permission_mode: "full_access" });
      expect(effects()).toHaveLength(1);
      const runtime = await open();
      await runtime.start();
      const question = await pending(runtime, session);
      expect(question).toMatchObject({ kind: "user_input", tool_name: "send" });
      expect(effects()).toHaveLength(1);
      const { decide } = runtime.services.questions;
      // What was not offered is no word, neither for it nor against.
      expect(await codeOf(decide(ADMIN, question.request_id, yes({ outcome: "perhaps" })))).toBe(
        "bad_request",
      );
      await decide(ADMIN, question.request_id, decision);
      const events = await completed(runtime, session);
      expect(effects()).toHaveLength(times);
      expect(new Set(effects()).size).toBe(1);
      const verdicts = dataOf(events, "runtime.effect.verdict").map((said) => said["verdict"]);
      expect(verdicts).toEqual(["ask", verdict]);
      expect(dataOf(events, "agent.tool.outcome")).toMatchObject([{ status }]);
      expect(dataOf(events, "runtime.question.asked")).toHaveLength(1);
    },
    30_000,
  );

  it.each([
    ["look", "safe"],
    ["put", "rerun"],
  ])(
    "runs %s again by itself, with the same key",
    async (tool, verdict) => {
      const { session, open, effects } = await killed(tool, "running", { permission_mode: "full_access" });
      const runtime = await open();
      await runtime.start();
      const events = await completed(runtime, session);
      expect(effects()).toHaveLength(2);
      expect(new Set(effects()).size).toBe(1);
      expect(dataOf(events, "runtime.effect.verdict")).toMatchObject([{ verdict }]);
      expect(dataOf(events, "runtime.question.asked")).toEqual([]);
      expect(dataOf(events, "agent.tool.outcome")).toMatchObject([{ status: "ok" }]);
    },
    30_000,
  );
});

describe("a process killed with -9 while its turn waits for a person", () => {
  it.each([
    ["approved", 1, "ok"],
    ["denied", 0, "denied"],
  ] as const)(
    "goes on when the next one starts, %s while none lived",
    async (decision, times, status) => {
      const { session, open, effects } = await killed("send", "parked", {});
      // Nobody who could drive a turn: the log, and who decides.
      const alone = await open();
      const { request_id } = await pending(alone, session);
      const questions = createQuestions({ ...alone, redactor: createRedactor() });
      await questions.decide(ADMIN, request_id, { decision });
      expect(await codeOf(questions.decide(ADMIN, request_id, { decision }))).toBe("question_decided");
      await alone.stop();
      expect(effects()).toEqual([]);
      const runtime = await open();
      await runtime.start();
      const events = await completed(runtime, session);
      expect(effects()).toHaveLength(times);
      expect(dataOf(events, "agent.tool.outcome")).toMatchObject([{ status }]);
      expect(dataOf(events, "runtime.turn.resumed")).toHaveLength(1);
    },
    30_000,
  );
});
