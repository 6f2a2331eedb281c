import type { AhpEvent } from "../protocol/event.ts";
import type { BlockingType } from "../protocol/events.ts";
import { AHP_EVENTS, EVENT_TYPES } from "../protocol/events.ts";
import { FAIL_CLOSED } from "../protocol/fail-closed.ts";
import type { Call, Handlers } from "../server/handlers.ts";
import type { ServerOptions } from "../server/options.ts";
import type { AhpServer } from "../server/server.ts";
import { createServer } from "../server/server.ts";
import type { Heard } from "./script.ts";
import { HEARD, Script } from "./script.ts";

const REMEMBERED = 10_000;

/** A harness that does what each event's metadata says: the reference for a conformance run. */
export function scriptedHarness(options: ServerOptions<unknown> = {}): AhpServer {
  const { handlers, act, note } = script();
  for (const type of EVENT_TYPES) {
    Object.assign(handlers, { [type]: AHP_EVENTS[type].blocking ? act : note });
  }
  return createServer(handlers, options);
}

/** The same with nothing but the generic handler and queries. */
export function genericHarness(options: ServerOptions<unknown> = {}): AhpServer {
  return createServer(script().handlers, options);
}

function script() {
  const heard = new Map<string, Heard[]>();

  function note(event: AhpEvent, call: Call): Script | undefined {
    const read = Script.safeParse(event.metadata?.["conformance"]);
    if (!read.success) return undefined;
    const { event_type, session_id, agent_id, depth, payload, context, metadata } = event;
    const entry = { event_type, session_id, agent_id, depth, payload, context, metadata };
    const list = heard.get(read.data.tag) ?? [];
    heard.set(read.data.tag, [...list, { ...entry, delivery: call.delivery }]);
    const [oldest] = heard.keys();
    if (heard.size > REMEMBERED && oldest !== undefined) heard.delete(oldest);
    return read.data;
  }

  async function act(event: AhpEvent, call: Call): Promise<never> {
    const told = note(event, call);
    if (told?.hold_ms !== undefined) await new Promise((resolve) => setTimeout(resolve, told.hold_ms));
    if (told?.fail !== undefined) throw new Error(told.fail);
    return (told?.answer ?? usual(event)) as never;
  }

  const handlers: Handlers = {
    decide: act,
    notify: (event, call) => void note(event, call),
    query: ({ query_type, payload }) => {
      if (query_type !== HEARD) return { answer: { echo: payload }, reason: "no such query" };
      const { tag } = payload as { tag: string };
      return { answer: heard.get(tag) ?? [] };
    },
  };
  return { handlers, act, note: (event: AhpEvent, call: Call) => void note(event, call) };
}

/** Without a script: a valid answer of the right shape. */
function usual(event: AhpEvent): unknown {
  const { blocking, batchable } = AHP_EVENTS[event.event_type];
  if (!blocking || batchable) return { decision: "allow" };
  return FAIL_CLOSED[event.event_type as BlockingType]("unscripted");
}
