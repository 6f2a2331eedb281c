import type { Requirement } from "./requirement.ts";
import { auth } from "./requirements/auth.ts";
import { batch } from "./requirements/batch.ts";
import { client } from "./requirements/client.ts";
import { decisions } from "./requirements/decisions.ts";
import { events } from "./requirements/events.ts";
import { framing } from "./requirements/framing.ts";
import { handlers } from "./requirements/handlers.ts";
import { handshake } from "./requirements/handshake.ts";
import { payloads } from "./requirements/payloads.ts";
import { query } from "./requirements/query.ts";
import { rpc } from "./requirements/rpc.ts";

/** Every MUST of the seed and the wire page, and what we promise beyond them. */
export const REQUIREMENTS: readonly Requirement[] = [
  ...handshake,
  ...rpc,
  ...events,
  ...payloads,
  ...decisions,
  ...batch,
  ...query,
  ...handlers,
  ...framing,
  ...auth,
  ...client,
];
