import { withDefaults } from "../defaults.ts";
import type { HandshakeResult } from "../protocol/methods.ts";
import { PROTOCOL_VERSION } from "../protocol/version.ts";
import { capabilitiesOf } from "./capabilities.ts";
import type { Peer, ServerConnection } from "./connection.ts";
import { openConnection } from "./connection.ts";
import type { Service } from "./dispatch.ts";
import type { Handlers } from "./handlers.ts";
import type { ServerOptions } from "./options.ts";
import { DEFAULT_LIMITS } from "./options.ts";

/** A harness: handlers behind the protocol, ready to be put on any transport. */
export interface AhpServer<C = unknown> {
  /** A new peer; the transport feeds it messages. */
  connect(peer: Peer<C>): ServerConnection;
  /** What the handshake tells. */
  readonly offer: HandshakeResult;
}

export function createServer<C = unknown>(
  handlers: Handlers<C>,
  options: ServerOptions<C> = {},
): AhpServer<C> {
  const limits = withDefaults(DEFAULT_LIMITS, options.limits ?? {});
  const info = options.info ?? { name: "fairlead-ahp", version: PROTOCOL_VERSION };
  const capabilities = [...(options.capabilities ?? capabilitiesOf(handlers))];
  const offer: HandshakeResult = {
    protocol_version: PROTOCOL_VERSION,
    harness_info: { ...info, capabilities },
    config: {
      timeout_ms: limits.timeoutMs,
      batch_size: limits.batchSize,
      max_depth: limits.maxDepth,
    },
  };
  const service: Service<C> = {
    handlers,
    limits,
    offer,
    requireHandshake: options.requireHandshake ?? true,
    onIgnored: options.onIgnored ?? (() => {}),
  };
  return { offer, connect: (peer) => openConnection(service, peer) };
}
