import { family } from "../requirement.ts";
import { TRANSPORTS } from "../transports.ts";

export const batch = family({ side: "server", spec: "wire: Methods, ahp/batch", transports: TRANSPORTS }, [
  { id: "batch:order", behaviour: "decisions come in the order of the events", needs: "script" },
  { id: "batch:count", behaviour: "as many decisions as events" },
  { id: "batch:empty", behaviour: "an empty batch gives no decisions", level: "ours" },
  { id: "batch:at-limit", behaviour: "a batch of the limit's size is taken" },
  { id: "batch:too-large", behaviour: "a larger batch is refused with -32602" },
  { id: "batch:params", behaviour: "params without events are refused with -32602" },
  {
    id: "batch:invalid-entry",
    behaviour: "one bad entry fails the whole batch with -32602, and none is handled",
    needs: "script",
  },
  {
    id: "batch:invalid-notice",
    behaviour: "a bad fire-and-forget entry fails it too, wherever it stands",
    needs: "script",
  },
  {
    id: "batch:handler-failed",
    behaviour: 'a failed handler gives that entry block, reason "Handler error: …"',
    spec: "seed: Design Principles, fail closed for control paths",
    needs: "script",
  },
  {
    id: "batch:bad-decision",
    behaviour: "a handler that answers nonsense counts as failed",
    needs: "script",
    level: "ours",
  },
  {
    id: "batch:notice-generic",
    behaviour: "a fire-and-forget entry goes to the generic handler, whose decision is its entry",
    needs: "generic",
  },
  {
    id: "batch:too-deep",
    behaviour: "an entry over the depth limit fails the batch with -32602",
  },
  {
    id: "batch:method-types",
    behaviour: "handshake and query are refused in a batch",
    spec: "seed: Batching Rules",
  },
]);
