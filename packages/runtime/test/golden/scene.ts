import type { AnyEvent, QuestionRow, SessionId } from "@fairlead/contract";
import { expect } from "vitest";
import { frontendFrame } from "../../src/faces/frontend.ts";
import type { Rule } from "../../src/models/script.ts";
import { scriptedModel } from "../../src/models/scripted.ts";
import type { Model } from "../../src/ports/model.ts";
import type { Tool, ToolOutput } from "../../src/ports/tool.ts";
import type { Services } from "../../src/services/types.ts";
import { type World, type WorldOptions, actor, everything, settle, world } from "../support/world.ts";

export const ADA = actor("operator", "ada");

/** A session that is played by hand: time, ids and models are the test's, so that it is the same every time. */
export interface Scene {
  readonly w: World;
  readonly session: SessionId;
  start(input?: string): Promise<void>;
  /** Waits until the turn has ended or is parked. */
  rest(): Promise<void>;
  /** Waits until the log holds so many events of the type. */
  until(type: string, count?: number): Promise<void>;
  /** Decides the only open question. */
  decide(decision: Parameters<Services["questions"]["decide"]>[2]): Promise<void>;
  question(): Promise<QuestionRow>;
  events(): Promise<readonly AnyEvent[]>;
}

type Settings = Parameters<Services["sessions"]["create"]>[1];
const BOUNDS = ["runtime.request.started", "runtime.turn.resumed", "runtime.turn.ended"];

export async function scene(options: WorldOptions, settings: Settings = {}): Promise<Scene> {
  const w = world(options);
  const { session_id: session } = await w.services.sessions.create(ADA, settings);
  const events = () => everything(w.log, session);

  async function wait(isSo: (events: readonly AnyEvent[]) => boolean): Promise<void> {
    for (let i = 0; i < 500; i++) {
      await settle();
      if (isSo(await events())) return settle();
      // Files are read by other threads.
      await new Promise<void>((resolve) => void setTimeout(resolve, 1));
    }
    throw new Error(`It did not come to pass: ${(await events()).map(({ type }) => type).join(" ")}`);
  }
  const rest = () =>
    wait(
      (all) => all.findLast(({ type }) => BOUNDS.includes(type))?.type === "runtime.turn.ended" && idle(all),
    );
  async function question(): Promise<QuestionRow> {
    const { rows } = await w.services.questions.list(ADA, { state: "pending", session_id: session });
    expect(rows).toHaveLength(1);
    return rows[0] as QuestionRow;
  }
  return {
    w,
    session,
    events,
    rest,
    question,
    until: (type, count = 1) => wait((all) => all.filter((event) => event.type === type).length >= count),
    async start(input = "Go on.") {
      await w.services.turns.start(ADA, session, { input });
    },
    async decide(decision) {
      await w.services.questions.decide(ADA, (await question()).request_id, decision);
      await settle();
      await rest();
    },
  };
}

/** Nothing that was asked for waits for the end of a turn. */
function idle(events: readonly AnyEvent[]): boolean {
  const count = (type: string) => events.filter((event) => event.type === type).length;
  const begun = events.filter(
    ({ type, data }) => type === "runtime.request.started" && "input_id" in (data as object),
  ).length;
  return count("runtime.input.queued") === begun + count("runtime.input.taken");
}

/**
 * Compares the log, and what the frontend face makes of it, with the files of this name. `masked` are fields that say
 * something else in each run: a hash of what was judged covers the place of the workspace.
 */
export async function golden(
  name: string,
  { w, events }: Scene,
  masked: readonly string[] = [],
): Promise<void> {
  const all = await events();
  const mask = (key: string, value: unknown) => (masked.includes(key) ? `(${key})` : value);
  const lines = (items: readonly unknown[]) =>
    `${items.map((item) => JSON.stringify(item, mask)).join("\n")}\n`;
  await expect(lines(all)).toMatchFileSnapshot(`./${name}.log.jsonl`);
  const frames = all.map(frontendFrame).filter((frame) => frame !== null);
  await expect(lines(frames)).toMatchFileSnapshot(`./${name}.frontend.jsonl`);
  expect(w.reported).toEqual([]);
}

export function model(rule: Omit<Rule, "when" | "needs">, id = "scripted"): Model {
  return scriptedModel({ script: { rules: [rule] }, id });
}

/** A tool of the test: takes a text and a number, reads only unless told otherwise. */
export function tool(name: string, run: Tool["run"], more: Partial<Tool> = {}): Tool {
  return {
    spec: {
      name,
      description: `Does ${name}.`,
      parameters: {
        type: "object",
        properties: { what: { type: "string" }, times: { type: "integer" } },
        required: ["what"],
        additionalProperties: false,
      },
    },
    access: "read",
    effect: "none",
    timeoutMs: 1_000,
    parallel: true,
    origin: "builtin",
    run,
    ...more,
  };
}

export const look = tool("look", async ({ what }) => ({ result: { seen: what } }));

export const writer = tool("change", async ({ what }) => ({ result: { changed: what } }), {
  access: "write",
  effect: "once",
  parallel: false,
});

/** Runs until it is let go, or told to stop. */
export function gated(more: Partial<Tool> = {}): Tool & { letGo(output: ToolOutput): void } {
  const gate = Promise.withResolvers<ToolOutput>();
  const made = tool(
    "wait",
    (_, { signal }) => {
      signal.addEventListener("abort", () => gate.reject(new Error("It was told to stop.")));
      return gate.promise;
    },
    { timeoutMs: 60_000, parallel: false, ...more },
  );
  return { ...made, letGo: gate.resolve };
}
