import { AHP_EVENTS, EVENT_TYPES } from "../../protocol/events.ts";
import { family } from "../requirement.ts";
import { TRANSPORTS } from "../transports.ts";

const typed = EVENT_TYPES.filter((type) => AHP_EVENTS[type].payload !== null);
const asked = typed.filter((type) => AHP_EVENTS[type].blocking);
const contract = EVENT_TYPES.filter((type) => AHP_EVENTS[type].contract);

export const payloads = [
  ...family(
    { side: "server", spec: "wire: Payloads of typed events", transports: TRANSPORTS, needs: "script" },
    [
      ...typed.map((type) => ({
        id: `payload:${type}:minimal`,
        behaviour: `${type} is taken with its required fields alone`,
      })),
      ...typed.map((type) => ({
        id: `payload:${type}:full`,
        behaviour: `${type} reaches the handler with every field`,
      })),
      ...typed.map((type) => ({
        id: `payload:${type}:newer`,
        behaviour: `${type} reaches the handler with fields that only a newer minor version knows`,
        spec: "wire: a peer of another minor version",
      })),
      ...contract.map((type) => ({
        id: `payload:${type}:newer-in-batch`,
        behaviour: `${type} in a batch reaches the handler with fields of a newer minor version`,
        spec: "wire: a peer of another minor version",
      })),
      ...asked.map((type) => ({
        id: `payload:${type}:broken`,
        behaviour: `${type} with a broken payload is refused with -32602`,
      })),
      {
        id: "payload:context_perception:defaults",
        behaviour: "unset domain, modality, urgency, freshness and include_sources get their defaults",
      },
    ],
  ),
  ...family(
    { side: "server", spec: "seed: Durable Runtime Contracts", transports: TRANSPORTS, needs: "script" },
    contract.flatMap((type) => [
      {
        id: `contract:${type}:notification`,
        behaviour: `a broken ${type} is not handled as a notification`,
      },
      {
        id: `contract:${type}:batch`,
        behaviour: `a broken ${type} fails its whole batch with -32602`,
      },
    ]),
  ),
];
