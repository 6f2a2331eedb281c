import type { IncomingMessage, ServerResponse } from "node:http";
import type { Readable, Writable } from "node:stream";
import { httpHandler, serveHttp } from "@fairlead/ahp/http";
import { serveStdio } from "@fairlead/ahp/stdio";
import { serveUnix } from "@fairlead/ahp/unix";
import { serveWebSocket, type WebSocketHandler, websocketHandler } from "@fairlead/ahp/websocket";
import type { Harness } from "./create-harness.ts";

export interface Address {
  readonly host: string;
  /** 0 takes any free one. */
  readonly port: number;
}

export interface ListenOptions {
  /** A socket that this user alone can open. */
  readonly unix?: string;
  readonly http?: Address;
  readonly websocket?: Address;
  /** Who speaks on the socket and on stdio. */
  readonly localAgent: string;
}

export interface Listening {
  readonly unix?: string;
  readonly http?: string;
  readonly websocket?: string;
  close(): Promise<void>;
}

interface Listener {
  close(): Promise<void>;
}

/** The path of the protocol, where it shares a port or the transport names one. */
const AHP_PATH = "/ahp";

/** Opens what was asked for, all or nothing. */
export async function listen(harness: Harness, options: ListenOptions): Promise<Listening> {
  const { server, admit, local } = harness;
  const open: Listener[] = [];
  const close = async (): Promise<void> => void (await Promise.all(open.map((listener) => listener.close())));
  async function opened<L extends Listener>(opening: Promise<L>): Promise<L> {
    const listener = await opening;
    open.push(listener);
    return listener;
  }
  try {
    const { unix: path, http, websocket, localAgent } = options;
    const context = local(localAgent);
    const onUnix = path === undefined ? undefined : await opened(serveUnix(server, { path, context }));
    const onHttp =
      http === undefined
        ? undefined
        : await opened(serveHttp(server, { ...http, authenticate: admit, path: AHP_PATH }));
    const onSocket =
      websocket === undefined
        ? undefined
        : // On a port of its own any path is the protocol's, as the wire has it.
          await opened(serveWebSocket(server, { ...websocket, authenticate: admit }));
    return {
      ...(onUnix === undefined ? {} : { unix: onUnix.path }),
      ...(onHttp === undefined ? {} : { http: onHttp.url }),
      ...(onSocket === undefined ? {} : { websocket: onSocket.url }),
      close,
    };
  } catch (error) {
    await close();
    throw error;
  }
}

/** For a server of one's own: what answers POST and the upgrade on the protocol's path. */
export interface Mounted {
  readonly path: string;
  request(request: IncomingMessage, response: ServerResponse): void;
  readonly upgrade: WebSocketHandler["upgrade"];
  close(): void;
}

export async function mount({ server, admit }: Harness): Promise<Mounted> {
  const sockets = await websocketHandler(server, { authenticate: admit, path: AHP_PATH });
  const request = httpHandler(server, { authenticate: admit, path: AHP_PATH });
  return { path: AHP_PATH, request, upgrade: sockets.upgrade, close: sockets.close };
}

/** Serves the process that started this one. Resolves when it has had enough. */
export function serveParent(
  { server, local }: Harness,
  agent: string,
  streams: { readonly input?: Readable; readonly output?: Writable } = {},
): Promise<void> {
  return serveStdio(server, { context: local(agent), ...streams });
}
