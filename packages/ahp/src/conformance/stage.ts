import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

import { acceptCredentials } from "../auth/accept.ts";
import type { Auth } from "../auth/credentials.ts";
import { serveHttp } from "../http/server.ts";
import type { AhpServer } from "../server/server.ts";
import { serveUnix } from "../unix/server.ts";
import { serveWebSocket } from "../websocket/server.ts";
import { websocketUrl } from "../websocket/url.ts";
import { genericHarness, scriptedHarness } from "./scripted-harness.ts";
import type { Target } from "./target.ts";
import { SECRETS } from "./target.ts";
import type { TransportName } from "./transports.ts";
import { httpWire } from "./wires/http-wire.ts";
import { inProcessWire } from "./wires/in-process-wire.ts";
import { stdioWire, unixWire } from "./wires/line-wire.ts";
import { websocketWire } from "./wires/websocket-wire.ts";

/** Small, so that a message over it is cheap to make. */
const MAX_MESSAGE_BYTES = 1_000_000;
const LIMIT = { maxMessageBytes: MAX_MESSAGE_BYTES };

export type Staged = Target & { close(): Promise<void> };

/** The two harnesses that a run needs. A mutant replaces one of them. */
export interface Cast {
  readonly full: AhpServer;
  readonly generic: AhpServer;
}

export function referenceCast(): Cast {
  return { full: scriptedHarness(), generic: genericHarness() };
}

/** Puts harnesses of this package on a transport, to be tested like any other. */
export function stage(transport: TransportName, cast: Cast = referenceCast()): Promise<Staged> {
  return STAGES[transport](cast);
}

const authenticate = acceptCredentials({
  apiKeys: [SECRETS.apiKey],
  tokens: [SECRETS.token],
  context: undefined,
});

const STAGES: Record<TransportName, (cast: Cast) => Promise<Staged>> = {
  "in-process": async ({ full, generic }) => ({
    transport: "in-process",
    isScripted: true,
    open: () => inProcessWire(full),
    openGeneric: () => inProcessWire(generic),
    close: async () => {},
  }),

  // A process of its own, so the cast is always the reference.
  stdio: async () => {
    const extension = import.meta.url.endsWith(".ts") ? "ts" : "js";
    const script = fileURLToPath(new URL(`scripted-stdio.${extension}`, import.meta.url));
    const start = (kind: string) => () =>
      stdioWire({ command: process.execPath, args: [script, kind, String(MAX_MESSAGE_BYTES)] });
    return {
      transport: "stdio",
      isScripted: true,
      ...LIMIT,
      open: start("full"),
      openGeneric: start("generic"),
      close: async () => {},
    };
  },

  unix: async ({ full, generic }) => {
    const folder = await mkdtemp(join(tmpdir(), "ahp-"));
    const socketPath = join(folder, "full.sock");
    const server = await serveUnix(full, { path: socketPath, ...LIMIT });
    const plain = await serveUnix(generic, { path: join(folder, "generic.sock"), ...LIMIT });
    return {
      transport: "unix",
      isScripted: true,
      ...LIMIT,
      socketPath,
      open: () => unixWire(socketPath),
      openGeneric: () => unixWire(plain.path),
      async close() {
        await server.close();
        await plain.close();
        await rm(folder, { recursive: true });
      },
    };
  },

  http: async ({ full, generic }) => {
    const server = await serveHttp(full, LIMIT);
    const plain = await serveHttp(generic, LIMIT);
    const guarded = await serveHttp(full, { authenticate, ...LIMIT });
    const stranger = await serveHttp(full, LIMIT);
    return {
      transport: "http",
      isScripted: true,
      ...LIMIT,
      open: () => httpWire({ url: server.url }),
      openGeneric: () => httpWire({ url: plain.url }),
      openGuarded: (shown) => httpWire({ url: guarded.url, headers: headersOf(shown) }),
      openStranger: () => httpWire({ url: stranger.url }),
      openHttp: ({ path, ...options }) =>
        httpWire({ url: path === undefined ? server.url : new URL(path, server.url).href, ...options }),
      async close() {
        for (const one of [server, plain, guarded, stranger]) await one.close();
      },
    };
  },

  websocket: async ({ full, generic }) => {
    const server = await serveWebSocket(full, LIMIT);
    const plain = await serveWebSocket(generic, LIMIT);
    const guarded = await serveWebSocket(full, { authenticate, ...LIMIT });
    return {
      transport: "websocket",
      isScripted: true,
      ...LIMIT,
      open: () => websocketWire(server.url),
      openGeneric: () => websocketWire(plain.url),
      openGuarded: (shown) => websocketWire(websocketUrl(`${guarded.url}?a=1`, shown).href),
      async close() {
        for (const one of [server, plain, guarded]) await one.close();
      },
    };
  },
};

function headersOf(shown: Auth | undefined): Record<string, string> {
  if (shown === undefined) return {};
  return "apiKey" in shown ? { "x-api-key": shown.apiKey } : { authorization: `Bearer ${shown.token}` };
}
