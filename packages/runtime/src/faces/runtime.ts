import type { AnyEvent, EventType, RuntimeFrame } from "@fairlead/contract";
import { EVENT_TYPES, EVENTS, NATIVE_AGENT } from "@fairlead/contract";
import { movedBlobs } from "./blobs.ts";

const ENVELOPE = "runtime.adapter.event";

/** Where seed 003's word is not the log's word in camel case. Null: the frame says it as `requestId`. */
const WORDS: Partial<Record<EventType, Readonly<Record<string, string | null>>>> = {
  "runtime.request.started": { turn_id: null },
  "runtime.request.completed": { turn_id: null },
  "runtime.request.failed": { turn_id: null },
  "runtime.request.cancelled": { turn_id: null },
  "agent.tool.start": { name: "toolId", arguments: "args" },
  "agent.tool.result": { tool_name: "toolId", result: "output" },
};

/** How an event looks on the face. Made once for each type, so that a frame costs one pass over its keys. */
interface Plan {
  readonly name: string | null;
  /** The face's word for each known key of the data. */
  readonly words: ReadonlyMap<string, string | null>;
}

const PLANS: ReadonlyMap<string, Plan> = new Map(
  EVENT_TYPES.map((type) => {
    const special = new Map(Object.entries(WORDS[type] ?? {}));
    const words = new Map<string, string | null>();
    for (const key of Object.keys(EVENTS[type].data.shape)) {
      const word = special.get(key);
      words.set(key, word === undefined ? camelCase(key) : word);
    }
    return [type, { name: EVENTS[type].faces.runtime, words }];
  }),
);

function camelCase(key: string): string {
  return key.replace(/(?<=[a-z\d])_([a-z\d])/g, (_, letter: string) => letter.toUpperCase());
}

/**
 * Seed 003's face. An agent's signal goes into the envelope that this seed has for it. Null when the
 * catalogue says that it has no name for the event; of a type that this program does not know the
 * data is carried raw, as `data`.
 */
export function runtimeFrame(event: AnyEvent): RuntimeFrame | null {
  const plan = PLANS.get(event.type);
  const name = plan === undefined ? event.type : plan.name;
  if (name === null) return null;
  const isSignal = event.type.startsWith("agent.");
  const frame: Fields = {
    type: isSignal ? ENVELOPE : name,
    requestId: event.turn_id ?? event.id,
    sessionId: event.stream,
    agentId: event.agent_id ?? NATIVE_AGENT,
    id: event.id,
    seq: event.seq,
    at: event.at,
  };
  const signal: Fields | null = isSignal ? { adapter: NATIVE_AGENT, phase: name } : null;
  if (signal !== null) frame.event = signal;

  const { data } = event;
  const fields = signal ?? frame;
  const taken = signal === null ? TAKEN_IN_FRAME : TAKEN_IN_SIGNAL;
  if (plan === undefined || !isObject(data)) fields.data = data;
  else copyFields(data, fields, plan.words, taken);

  if (event.blobs !== undefined) {
    const under = signal === null ? "" : "/event";
    frame.blobs = movedBlobs(event.blobs, plan === undefined ? `${under}/data` : under, (key) =>
      plan === undefined ? key : (plan.words.get(key) ?? camelCase(key)),
    );
  }
  return frame as unknown as RuntimeFrame;
}

type Fields = Record<string, unknown>;

/** What the envelope says itself: an open field of the data does not take its place. */
const TAKEN_IN_FRAME = new Set("type requestId sessionId agentId id seq at blobs".split(" "));
const TAKEN_IN_SIGNAL = new Set(["phase"]);

function isObject(data: unknown): data is Fields {
  return typeof data === "object" && data !== null && !Array.isArray(data);
}

function copyFields(data: Fields, fields: Fields, words: Plan["words"], taken: Set<string>): void {
  for (const key in data) {
    const known = words.get(key);
    if (known === null) continue;
    if (known !== undefined) {
      fields[known] = data[key];
      continue;
    }
    const word = camelCase(key);
    if (!taken.has(word)) addForeign(fields, word, data[key]);
  }
}

/** Not plain assignment: a foreign key `__proto__` is a field like any other, not a prototype. */
function addForeign(fields: Fields, word: string, value: unknown): void {
  Object.defineProperty(fields, word, {
    value,
    enumerable: true,
    configurable: true,
    writable: true,
  });
}
