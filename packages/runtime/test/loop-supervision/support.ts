import type { AnyEvent, EventData, EventType, QuestionRow, SessionId } from "@fairlead/contract";
import { expect, onTestFinished } from "vitest";
import type { Rule, Step } from "../../src/models/script.ts";
import { scriptedModel } from "../../src/models/scripted.ts";
import type { Model, ModelRequest } from "../../src/ports/model.ts";
import type { Tool, ToolArguments } from "../../src/ports/tool.ts";
import type { Services } from "../../src/services/types.ts";
import { actor, everything, settle, type World, world, type WorldOptions } from "../support/world.ts";

export const ADA = actor("operator", "ada");

/** A scripted model that keeps what it was asked. */
export interface Heard extends Model {
  readonly asked: ModelRequest[];
}

export function heard(rule: Omit<Rule, "when" | "needs">, id = "main"): Heard {
  const model = scriptedModel({ script: { rules: [rule] }, id });
  const asked: ModelRequest[] = [];
  return {
    ...model,
    asked,
    stream(request, signal) {
      asked.push(request);
      return model.stream(request, signal);
    },
  };
}

/** Calls the tool once, then says that it is done. */
export function calling(name: string, args: Record<string, unknown> = {}): Heard {
  const call: Step = { call: name, with: args };
  return heard({ rounds: [[call], [{ say: "Done." }]] });
}

/** A tool that keeps what it was run with. */
export function kept(name: string, more: Partial<Tool> = {}): Tool & { readonly runs: ToolArguments[] } {
  const runs: ToolArguments[] = [];
  return {
    spec: {
      name,
      description: `Does ${name}.`,
      parameters: {
        type: "object",
        properties: { what: { type: "string" }, times: { type: "integer" } },
        additionalProperties: false,
      },
    },
    access: "read",
    effect: "none",
    timeoutMs: 1_000,
    parallel: true,
    origin: "builtin",
    ...more,
    runs,
    async run(args) {
      runs.push(args);
      return { result: { ran: name } };
    },
  };
}

export interface Ran {
  readonly w: World;
  readonly session: SessionId;
  /** All events of the session so far. */
  events(): Promise<readonly AnyEvent[]>;
  data<T extends EventType>(type: T): Promise<EventData<T>[]>;
  /** The decisions about one subject. */
  decisions(subject: string): Promise<EventData<"runtime.policy.decision">[]>;
  /** The only open question. */
  question(): Promise<QuestionRow>;
  decide(decision: Parameters<Services["questions"]["decide"]>[2]): Promise<void>;
  /** Time passes, and somebody looks for what is due. */
  later(ms: number, where?: World): Promise<void>;
  /** Waits until nothing more happens by itself. */
  rest(): Promise<void>;
}

/** Where a turn begins, goes on and stops. */
const BOUNDS = ["runtime.request.started", "runtime.turn.resumed", "runtime.turn.ended"];

type Settings = Parameters<Services["sessions"]["create"]>[1];

/** One turn in a world, up to its end or until it is parked. */
export async function ran(options: WorldOptions, settings: Settings = {}, input = "Go on"): Promise<Ran> {
  const w = world(options);
  onTestFinished(() => expect(w.reported).toEqual([]));
  const { session_id: session } = await w.services.sessions.create(ADA, settings);
  const events = () => everything(w.log, session);
  const data = async <T extends EventType>(type: T) =>
    (await events()).filter((event) => event.type === type).map((event) => event.data as EventData<T>);
  async function rest(): Promise<void> {
    for (let i = 0; i < 200; i++) {
      await settle();
      const { turn_id } = await w.services.sessions.get(ADA, session);
      const last = (await events()).findLast(({ type }) => BOUNDS.includes(type));
      if (turn_id === null || last?.type === "runtime.turn.ended") return settle();
    }
    throw new Error("the turn neither ended nor was parked");
  }
  async function question(): Promise<QuestionRow> {
    const { rows } = await w.services.questions.list(ADA, { state: "pending", session_id: session });
    expect(rows).toHaveLength(1);
    return rows[0] as QuestionRow;
  }
  await w.services.turns.start(ADA, session, { input });
  await rest();
  return {
    w,
    session,
    events,
    data,
    rest,
    question,
    decisions: async (subject) =>
      (await data("runtime.policy.decision")).filter((one) => one.subject === subject),
    async decide(decision) {
      await w.services.questions.decide(ADA, (await question()).request_id, decision);
      await rest();
    },
    async later(ms, where = w) {
      await w.time.advance(ms);
      await where.services.turns.recover();
      await rest();
    },
  };
}

/** What became of each call, in order. */
export async function outcomes({ data }: Ran): Promise<readonly (readonly [string, string, string?])[]> {
  return (await data("agent.tool.outcome")).map(({ tool_name, status, error }) =>
    error === undefined ? [tool_name, status] : [tool_name, status, error],
  );
}

/** How the turn stands: its last end, and why. */
export async function ending({ data }: Ran) {
  return (await data("runtime.turn.ended")).at(-1);
}

/** All that the model was told the last time it was asked, as text. */
export function told(model: Heard, nth = -1): string {
  return (model.asked.at(nth)?.messages ?? []).map(({ text }) => text).join("\n\n");
}
