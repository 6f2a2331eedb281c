import { AHP_EVENTS, EVENT_TYPES } from "../../protocol/events.ts";
import { family } from "../requirement.ts";
import { TRANSPORTS } from "../transports.ts";

const spec = "seed: Event Types";

const perType = EVENT_TYPES.flatMap((type) => {
  const { blocking, batchable } = AHP_EVENTS[type];
  return [
    {
      id: `event:${type}:request`,
      behaviour: blocking
        ? `${type} as a request gets a decision of its shape`
        : `${type} as a request is refused with -32602`,
      needs: blocking ? ("script" as const) : ("nothing" as const),
    },
    {
      id: `event:${type}:notification`,
      behaviour: blocking
        ? `${type} as a notification is refused and not handled`
        : `${type} as a notification is heard and not answered`,
      needs: "script" as const,
    },
    {
      id: `event:${type}:batch`,
      behaviour: batchable
        ? `${type} in a batch gets a generic decision`
        : `${type} in a batch fails the batch with -32602`,
      needs: batchable ? ("script" as const) : ("nothing" as const),
    },
  ];
});

export const REQUIRED_FIELDS = [
  "event_type",
  "session_id",
  "agent_id",
  "timestamp",
  "depth",
  "payload",
] as const;

export const events = [
  ...family({ side: "server", spec, transports: TRANSPORTS }, perType),
  ...family({ side: "server", spec: "wire: Event", transports: TRANSPORTS }, [
    ...REQUIRED_FIELDS.map((field) => ({
      id: `event:needs:${field}`,
      behaviour: `an event without ${field} is refused with -32602`,
    })),
    { id: "event:unknown-type", behaviour: "an unknown event type is refused with -32602" },
    {
      id: "event:method-types",
      behaviour: "handshake and query are no events to send: -32602",
      level: "ours",
    },
    { id: "event:depth-type", behaviour: "a depth that is no unsigned 32-bit integer: -32602" },
    {
      id: "event:too-deep",
      behaviour: "a depth over the limit is refused with -32602",
      spec: "seed: Depth And Recursion",
    },
    {
      id: "event:at-depth",
      behaviour: "a depth at the limit is taken",
      spec: "seed: Depth And Recursion",
    },
    {
      id: "event:context",
      behaviour: "context, metadata, session, agent and depth reach the handler as sent",
      needs: "script",
    },
    {
      id: "event:newer",
      behaviour: "context and metadata reach the handler with fields of a newer minor version",
      spec: "wire: a peer of another minor version",
      needs: "script",
    },
    { id: "event:null-payload", behaviour: "a free-form payload may be null", level: "ours" },
  ]),
];
