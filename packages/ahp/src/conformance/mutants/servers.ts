import { createServer } from "../../server/server.ts";
import { NULL_MODIFY } from "../samples/decisions.ts";
import { FULL } from "../samples/payloads.ts";
import { scriptedHarness } from "../scripted-harness.ts";
import { referenceCast, stage } from "../stage.ts";
import type { ServerMutant } from "./mutant.ts";
import type { Fault, Loose } from "./rewire.ts";
import { rewire } from "./rewire.ts";

const ALLOW = { decision: "allow" };

/** The full harness with a fault, in this process. */
function full(id: string, caughtBy: string, fault: Fault): ServerMutant {
  const cast = () => ({ ...referenceCast(), full: rewire(scriptedHarness(), fault) });
  return { id, caughtBy, stage: () => stage("in-process", cast()) };
}

function generic(id: string, caughtBy: string, fault: Fault): ServerMutant {
  const cast = referenceCast();
  return {
    id,
    caughtBy,
    stage: () => stage("in-process", { ...cast, generic: rewire(cast.generic, fault) }),
  };
}

/** Turns an error with this code into a result. */
function forgiving(code: number, result: Loose): Fault {
  return {
    say: (answer) => (answer.error?.code === code ? { jsonrpc: "2.0", id: answer.id, result } : answer),
  };
}

const isBatch = (message: Loose) => message.method === "ahp/batch";
const eachEvent = (message: Loose, change: (event: Loose) => Loose): Loose => {
  if (message.method === "ahp/event") return { ...message, params: change(message.params) };
  if (!isBatch(message) || !Array.isArray(message.params?.events)) return message;
  return { ...message, params: { events: message.params.events.map(change) } };
};

/** Reads an event by what 2.4 knows, and forgets the rest. */
function strip(event: Loose): Loose {
  const { new_in_2_5: _, ...payload } = event?.payload ?? {};
  return { ...event, payload };
}

const rpc: ServerMutant[] = [
  full("ids-become-strings", "rpc:number-id", {
    say: (answer) => ({ ...answer, id: String(answer.id) }),
  }),
  full("ids-are-trimmed", "rpc:string-id", {
    say: (answer) => ({
      ...answer,
      id: typeof answer.id === "string" ? answer.id.replaceAll("\n", "") : answer.id,
    }),
  }),
  full("no-version", "rpc:version", { say: (answer) => ({ ...answer, jsonrpc: undefined }) }),
  full("any-method", "rpc:unknown-method", forgiving(-32601, {})),
  full("drops-what-is-not-json", "rpc:not-json", {
    say: (answer) => (answer.error?.code === -32700 ? undefined : answer),
  }),
  full("any-version", "rpc:wrong-version", { hear: (message) => ({ ...message, jsonrpc: "2.0" }) }),
  full("null-id-is-a-notification", "rpc:null-id", {
    hear: ({ id, ...message }) => (id === null ? message : { ...message, id }),
  }),
  full("answers-unknown-notifications", "rpc:unknown-notification", {
    reply: ({ method }) => ({ jsonrpc: "2.0", id: "", error: { code: -32601, message: method } }),
  }),
  full("strict-fields", "rpc:extra-fields", {
    hear: (message) => (message.params?.new_in_2_5 ? { ...message, params: {} } : message),
  }),
  full("null-is-a-value", "rpc:null-is-unset", {
    hear: (message) => (message.params?.context === null ? { ...message, params: {} } : message),
  }),
  full("writes-null", "rpc:no-null", { say: (answer) => ({ error: null, ...answer }) }),
  full("one-at-a-time", "rpc:concurrent", {
    receive: serially(),
  }),
  full("loses-some", "rpc:many", {
    say: (answer) => (String(answer.id).endsWith("7") && answer.result?.decision ? undefined : answer),
  }),
];

const handshake: ServerMutant[] = [
  full("any-major", "handshake:major", {
    hear: (message) =>
      message.method === "ahp/handshake" && message.params
        ? { ...message, params: { ...message.params, protocol_version: "2.4" } }
        : message,
  }),
  full("exact-minor", "handshake:minor", {
    hear: (message) => {
      const version = message.params?.protocol_version;
      const isOther = version !== undefined && version !== "2.4";
      return isOther ? { ...message, params: { ...message.params, protocol_version: "9" } } : message;
    },
  }),
  {
    id: "no-greeting",
    caughtBy: "handshake:first",
    stage: () =>
      stage("in-process", { ...referenceCast(), full: scriptedHarness({ requireHandshake: false }) }),
  },
  generic("boasts", "handshake:capabilities", {
    say: (answer) => {
      answer.result?.harness_info?.capabilities.push("planning");
      return answer;
    },
  }),
];

const events: ServerMutant[] = [
  full("any-depth", "event:too-deep", {
    hear: (message) => eachEvent(message, (event) => ({ ...event, depth: Math.min(event?.depth, 10) })),
  }),
  full("depth-under-limit", "event:at-depth", {
    hear: (message) => eachEvent(message, (event) => ({ ...event, depth: event?.depth + 1 })),
  }),
  full("makes-up-time", "event:needs:timestamp", {
    hear: (message) => eachEvent(message, (event) => ({ timestamp: "now", ...event })),
  }),
  full("any-type", "event:unknown-type", {
    hear: (message) =>
      eachEvent(message, (event) =>
        event?.event_type === "pre_flight" ? { ...event, event_type: "pre_action" } : event,
      ),
  }),
  full("forgets-context", "event:context", {
    hear: (message) => eachEvent(message, (event) => ({ ...event, context: undefined })),
  }),
  full("strips-context", "event:newer", {
    hear: (message) =>
      eachEvent(message, ({ context, ...event }) => {
        const { new_in_2_5: _, ...known } = context ?? {};
        return context ? { ...event, context: known } : event;
      }),
  }),
  full("strips-payloads", "payload:confirmation:newer", { hear: (message) => eachEvent(message, strip) }),
  full("strips-batches", "payload:task_list:newer-in-batch", {
    hear: (message) => (isBatch(message) ? eachEvent(message, strip) : message),
  }),
  full("asks-nobody", "event:pre_action:request", {
    receive: (text, next) => {
      const { id, params, method } = JSON.parse(text) as Loose;
      if (method !== "ahp/event" || params?.event_type !== "pre_action") return next(text);
      return JSON.stringify({ jsonrpc: "2.0", id, result: ALLOW });
    },
  }),
  full("answers-notices", "event:post_action:request", forgiving(-32602, ALLOW)),
  full("takes-questions-as-notices", "event:pre_action:notification", {
    hear: (message) =>
      message.id === undefined && message.params?.event_type === "pre_action"
        ? { ...message, params: { ...message.params, event_type: "post_action" } }
        : message,
  }),
  full("answers-notifications", "event:post_action:notification", {
    reply: () => ({ jsonrpc: "2.0", id: null, result: ALLOW }),
  }),
  full("batches-anything", "event:planning:batch", {
    hear: (message) =>
      isBatch(message) ? eachEvent(message, (event) => ({ ...event, event_type: "pre_action" })) : message,
  }),
  full("trusts-contracts", "contract:task_list:notification", {
    hear: (message) =>
      message.id === undefined
        ? eachEvent(message, (event) => ({ ...event, payload: { ...(FULL.task_list as object) } }))
        : message,
  }),
  full("trusts-contracts-in-batches", "contract:run_lifecycle:batch", {
    hear: (message) =>
      isBatch(message) ? eachEvent(message, (event) => ({ ...event, payload: FULL.run_lifecycle })) : message,
  }),
  full("trusts-payloads", "payload:confirmation:broken", forgiving(-32602, { decision: "approve" })),
];

const batches: ServerMutant[] = [
  full("any-batch-size", "batch:too-large", {
    hear: (message) =>
      isBatch(message) ? { ...message, params: { events: message.params?.events?.slice(0, 100) } } : message,
  }),
  full("reversed", "batch:order", {
    say: (answer) => {
      answer.result?.decisions?.reverse();
      return answer;
    },
  }),
  full("one-short", "batch:count", {
    say: (answer) => {
      answer.result?.decisions?.pop();
      return answer;
    },
  }),
  full("eager", "batch:invalid-entry", { receive: handleEntriesFirst }),
  full("skips-bad-notices", "batch:invalid-notice", {
    hear: (message) =>
      isBatch(message)
        ? eachEvent(message, (event) =>
            event.event_type === "task_list" ? { ...event, payload: FULL.task_list } : event,
          )
        : message,
  }),
  full("fails-open", "batch:handler-failed", {
    say: (answer) => {
      if (answer.result?.decisions) answer.result.decisions = answer.result.decisions.map(() => ALLOW);
      return answer;
    },
  }),
  generic("ignores-notices-in-batches", "batch:notice-generic", {
    say: (answer) => {
      if (answer.result?.decisions) answer.result.decisions = answer.result.decisions.map(() => ALLOW);
      return answer;
    },
  }),
];

const handlers: ServerMutant[] = [
  full("allows-on-failure", "handler:failed", forgiving(-32603, ALLOW)),
  full("passes-nonsense", "handler:bad-decision", {
    say: (answer, message) =>
      answer.error?.code === -32603
        ? { jsonrpc: "2.0", id: answer.id, result: message.params?.metadata?.conformance?.answer }
        : answer,
  }),
  full("modifies-into-null", "handler:null-modify", {
    say: (answer, message) =>
      message.params?.metadata?.conformance?.answer?.modified_payload === null
        ? { jsonrpc: "2.0", id: answer.id, result: NULL_MODIFY }
        : answer,
  }),
  full("forgets-reasons", "decision:pre_action:defer-full", {
    say: (answer) => {
      delete answer.result?.reason;
      return answer;
    },
  }),
  generic("plans-without-a-plan", "generic:planning", forgiving(-32603, ALLOW)),
  {
    id: "never-idle",
    caughtBy: "generic:idle",
    stage: () =>
      stage("in-process", {
        ...referenceCast(),
        generic: createServer({ pre_action: () => ({ decision: "allow" }) }),
      }),
  },
];

export const SERVER_MUTANTS: readonly ServerMutant[] = [
  ...rpc,
  ...handshake,
  ...events,
  ...batches,
  ...handlers,
];

/** Takes the next message when the one before is answered. */
function serially(): NonNullable<Fault["receive"]> {
  let turn: Promise<unknown> = Promise.resolve();
  return (text, next) => {
    const mine = (async () => {
      await turn;
      return next(text);
    })();
    turn = mine;
    return mine;
  };
}

/** Handles the entries of a batch one by one, and validates as it goes. */
function handleEntriesFirst(
  ...[text, next]: Parameters<NonNullable<Fault["receive"]>>
): ReturnType<NonNullable<Fault["receive"]>> {
  const message = JSON.parse(text) as Loose;
  if (!isBatch(message) || !Array.isArray(message.params?.events)) return next(text);
  for (const event of message.params.events) {
    void next(JSON.stringify({ ...message, id: "part", params: { events: [event] } }));
  }
  return next(text);
}
