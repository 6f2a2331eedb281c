import type { ServerChecks } from "../check.ts";
import { auth } from "./auth.ts";
import { batch } from "./batch.ts";
import { decisions } from "./decisions.ts";
import { events } from "./events.ts";
import { framing } from "./framing.ts";
import { handlers } from "./handlers.ts";
import { handshake } from "./handshake.ts";
import { payloads } from "./payloads.ts";
import { query } from "./query.ts";
import { rpc } from "./rpc.ts";

export const SERVER_CHECKS: ServerChecks = {
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
};
