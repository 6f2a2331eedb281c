import { AHP_EVENTS, EVENT_TYPES } from "../../protocol/events.ts";
import { family } from "../requirement.ts";
import { TRANSPORTS } from "../transports.ts";

/** Questions with a decision of their own, idle apart. */
export const SPECIALISED = EVENT_TYPES.filter(
  (type) => AHP_EVENTS[type].blocking && !AHP_EVENTS[type].batchable && type !== "idle",
);

export const handlers = [
  ...family(
    { side: "server", spec: "wire: Decisions, last paragraph", transports: TRANSPORTS, needs: "generic" },
    [
      { id: "generic:idle", behaviour: "a harness with the generic handler alone lets the agent idle" },
      ...SPECIALISED.map((type) => ({
        id: `generic:${type}`,
        behaviour: `without a handler ${type} is answered -32603`,
      })),
    ],
  ),
  ...family({ side: "server", spec: "wire: JSON-RPC, -32603", transports: TRANSPORTS, needs: "script" }, [
    { id: "handler:failed", behaviour: "a failed handler is answered with -32603" },
    {
      id: "handler:bad-decision",
      behaviour: "an answer of the wrong shape never leaves the harness: -32603",
      level: "ours",
    },
    {
      id: "handler:null-modify",
      behaviour: "modify with a null payload never leaves the harness: null is unset",
      level: "ours",
    },
    { id: "handler:unsent-null", behaviour: "a null that a handler returns for an unset field is left out" },
  ]),
];
