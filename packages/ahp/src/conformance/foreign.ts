import type { Auth } from "../auth/credentials.ts";
import { AhpError } from "../protocol/errors.ts";
import { websocketUrl } from "../websocket/url.ts";
import type { Target } from "./target.ts";
import { httpWire } from "./wires/http-wire.ts";
import { stdioWire, unixWire } from "./wires/line-wire.ts";
import { websocketWire } from "./wires/websocket-wire.ts";

export interface ForeignOptions {
  readonly url?: string;
  readonly command?: string;
  readonly auth?: Auth;
  /** The harness follows the script convention (see script.ts). */
  readonly isScripted: boolean;
}

/** A harness that somebody else wrote. */
export function foreignTarget({ url, command, auth, isScripted }: ForeignOptions): Target {
  if (command !== undefined) {
    const open = () => stdioWire({ command: "sh", args: ["-c", `exec ${command}`] });
    return { transport: "stdio", isScripted, open };
  }
  const address = url ?? "";
  switch (/^([a-z]+):/.exec(address)?.[1]) {
    case "http":
    case "https":
      return {
        transport: "http",
        isScripted,
        open: () => httpWire({ url: address, headers: headersOf(auth) }),
      };
    case "ws":
    case "wss":
      return {
        transport: "websocket",
        isScripted,
        open: () => websocketWire(websocketUrl(address, auth).href),
      };
    case "unix":
      return { transport: "unix", isScripted, open: () => unixWire(address.slice("unix:".length)) };
    default:
      throw new AhpError("transport_unsupported", `No transport for ${address}`);
  }
}

function headersOf(auth: Auth | undefined): Record<string, string> {
  if (auth === undefined) return {};
  return "apiKey" in auth ? { "x-api-key": auth.apiKey } : { authorization: `Bearer ${auth.token}` };
}
