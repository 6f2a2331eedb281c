import type { AnyEvent, EventData, EventType, QuestionRow, SessionId, SubagentRow } from "@fairlead/contract";
import { expect, onTestFinished } from "vitest";
import { is } from "../../src/domain/event.ts";
import type { Rule } from "../../src/models/script.ts";
import { scriptedModel } from "../../src/models/scripted.ts";
import { openSqliteStore } from "../../src/stores/sqlite/open.ts";
import { delegate } from "../../src/tools/delegate.ts";
import { ADA, look, writer } from "../golden/scene.ts";
import { temporaryFolder } from "../stores.ts";
import { type World, type WorldOptions, everything, handTime, settle, world } from "../support/world.ts";

/** A session that delegates, over a real SQLite file. What each agent says is chosen by its task. */
export interface Delegating {
  readonly w: World;
  readonly root: SessionId;
  say(input: string): Promise<void>;
  /** Waits until this is so, and says what the root's log holds where it never is. */
  until(isSo: () => boolean | Promise<boolean>): Promise<void>;
  /** Waits until the last turn of the session has an end that is none to wait for. */
  ended(session?: SessionId): Promise<void>;
  events(session?: SessionId): Promise<readonly AnyEvent[]>;
  of<T extends EventType>(type: T, session?: SessionId): Promise<readonly EventData<T>[]>;
  subagents(session?: SessionId): Promise<readonly SubagentRow[]>;
  /** The session of the sub-agent of this name, as the root knows it. */
  child(agent_id: string): Promise<SessionId>;
  pending(session?: SessionId): Promise<readonly QuestionRow[]>;
}

export interface DelegatingOptions extends WorldOptions {
  readonly script?: readonly Rule[];
  readonly settings?: Parameters<World["services"]["sessions"]["create"]>[1];
}

export async function delegating(options: DelegatingOptions = {}): Promise<Delegating> {
  const { script = [], settings = {}, ...rest } = options;
  const folder = temporaryFolder();
  const time = options.time ?? handTime();
  const store = options.store ?? openSqliteStore({ dir: folder.path, clock: time.clock });
  const w = world({
    store,
    time,
    models: [scriptedModel({ script: { rules: [...script] } })],
    tools: [delegate(), look, writer],
    ...rest,
  });
  onTestFinished(async () => {
    await w.services.turns.stop("The test is over.");
    await w.log.close();
    folder.remove();
  });
  const { session_id: root } = await w.services.sessions.create(ADA, settings);
  const events = (session = root) => everything(w.log, session);
  const of = async <T extends EventType>(type: T, session = root) =>
    (await events(session)).filter((event) => is(event, type)).map(({ data }) => data as EventData<T>);
  const subagents = async (session = root) => (await w.services.details.chat(ADA, session)).subagents;

  async function until(isSo: () => boolean | Promise<boolean>): Promise<void> {
    for (let looks = 0; looks < 500; looks++) {
      await settle();
      if (await isSo()) return;
    }
    const types = (await events()).map(({ type, data }) => `${type} ${JSON.stringify(data)}`);
    throw new Error(`It did not come to pass:\n${types.join("\n")}\n${w.reported.map(String).join("\n")}`);
  }

  return {
    w,
    root,
    until,
    events,
    of,
    subagents,
    say: async (input) => void (await w.services.turns.start(ADA, root, { input })),
    ended: (session = root) =>
      until(async () => {
        const all = await events(session);
        const last = all.findLast(
          ({ type }) => type === "runtime.turn.ended" || type === "runtime.request.started",
        );
        return last !== undefined && is(last, "runtime.turn.ended") && last.data.status !== "parked";
      }),
    async child(agent_id) {
      const row = (await subagents()).find((one) => one.agent_id === agent_id);
      expect(row?.session_id).toEqual(expect.stringMatching(/^ses_/));
      return row?.session_id as SessionId;
    },
    pending: async (session = root) =>
      (await w.services.questions.list(ADA, { session_id: session, state: "pending" })).rows,
  };
}

type Orders = readonly [Order | string, ...(Order | string)[]];
type Order = Readonly<Record<string, unknown>>;

/** Delegates each of these in one step, then says what came back. A text among them is what it answers to. */
export function delegated(...given: Orders): Rule {
  const orders = given.filter((one): one is Order => typeof one !== "string");
  return {
    when: given.find((one): one is string => typeof one === "string") ?? "begin",
    rounds: [orders.map((one) => ({ call: "delegate", with: one })), [{ say: "All in: {{result}}" }]],
  };
}

export function says(when: string, text: string): Rule {
  return { when, do: [{ say: text }] };
}
