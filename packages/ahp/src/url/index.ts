import type { Auth } from "../auth/credentials.ts";
import { http } from "../http/client.ts";
import { AhpError } from "../protocol/errors.ts";
import { grpc } from "../transport/grpc.ts";
import type { Transport } from "../transport/transport.ts";
import { unix } from "../unix/client.ts";
import { websocket } from "../websocket/client.ts";

export interface TransportOfOptions {
  readonly auth?: Auth;
}

/** The client transport that a URL names: http, https, ws, wss, or unix:/path/of/socket. */
export function transportOf(url: string, { auth }: TransportOfOptions = {}): Transport {
  const scheme = /^([a-z][a-z0-9+.-]*):/i.exec(url)?.[1]?.toLowerCase() ?? "";
  switch (scheme) {
    case "http":
    case "https":
      return http({ url, auth });
    case "ws":
    case "wss":
      return websocket({ url, auth });
    case "unix":
      return unix({ path: url.slice("unix:".length).replace(/^\/\/(?=\/)/, "") });
    case "grpc":
    case "grpcs":
      return grpc();
    default: {
      const message = `No transport for "${scheme}": use http, https, ws, wss or unix`;
      throw new AhpError("transport_unsupported", message);
    }
  }
}
