import { once } from "node:events";
import { connect } from "node:net";

import type { LineLinkOptions } from "../lines/link.ts";
import { lineLink } from "../lines/link.ts";
import { AhpError } from "../protocol/errors.ts";
import { multiplex } from "../transport/multiplex.ts";
import type { Transport } from "../transport/transport.ts";

export interface UnixOptions extends LineLinkOptions {
  readonly path: string;
}

export function unix(options: UnixOptions): Transport {
  return {
    name: "unix",
    lifetime: "connection",
    async connect({ signal, onStray }) {
      const socket = connect({ path: options.path });
      try {
        await once(socket, "connect", { signal });
      } catch (error) {
        socket.destroy();
        const message = `Cannot connect to ${options.path}: ${(error as Error).message}`;
        throw new AhpError("connection_failed", message, { cause: error });
      }
      return multiplex(lineLink(socket, socket, options), { onStray });
    },
  };
}
