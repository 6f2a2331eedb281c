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
  readonly maxMessageBytes?: number;
}

/** A harness that somebody else wrote. */
export function foreignTarget(options: ForeignOptions): Target {
  const { url = "", command, auth, isScripted, maxMessageBytes } = options;
  const known = { isScripted, maxMessageBytes };
  if (command !== undefined) {
    const open = () => stdioWire({ command: "sh", args: ["-c", `exec ${command}`] });
    return { transport: "stdio", ...known, open };
  }
  switch (/^([a-z]+):/.exec(url)?.[1]) {
    case "http":
    case "https": {
      const headers = headersOf(auth);
      return {
        transport: "http",
        ...known,
        open: () => httpWire({ url, headers }),
        openHttp: ({ path, ...shape }) =>
          httpWire({
            url: path === undefined ? url : new URL(path, url).href,
            ...shape,
            headers: { ...headers, ...shape.headers },
          }),
      };
    }
    case "ws":
    case "wss":
      return { transport: "websocket", ...known, open: () => websocketWire(websocketUrl(url, auth).href) };
    case "unix": {
      const socketPath = url.slice("unix:".length);
      return { transport: "unix", ...known, socketPath, open: () => unixWire(socketPath) };
    }
    default:
      throw new AhpError("transport_unsupported", `No transport for ${url}`);
  }
}

function headersOf(auth: Auth | undefined): Record<string, string> {
  if (auth === undefined) return {};
  return "apiKey" in auth ? { "x-api-key": auth.apiKey } : { authorization: `Bearer ${auth.token}` };
}
