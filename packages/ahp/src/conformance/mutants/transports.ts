import { once } from "node:events";
import { chmod } from "node:fs/promises";
import type { ServerResponse } from "node:http";
import { createServer as createHttpServer } from "node:http";
import type { AddressInfo } from "node:net";
import { createServer as createNetServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { WebSocketServer } from "ws";

import type { Authenticate } from "../../auth/credentials.ts";
import { httpHandler } from "../../http/handler.ts";
import { serveHttp } from "../../http/server.ts";
import { serveWebSocket } from "../../websocket/server.ts";
import { websocketUrl } from "../../websocket/url.ts";
import { scriptedHarness } from "../scripted-harness.ts";
import type { Staged } from "../stage.ts";
import { stage } from "../stage.ts";
import { SECRETS } from "../target.ts";
import { newName } from "../trial.ts";
import { httpWire } from "../wires/http-wire.ts";
import { unixWire } from "../wires/line-wire.ts";
import { websocketWire } from "../wires/websocket-wire.ts";
import type { ServerMutant } from "./mutant.ts";

/** An HTTP harness whose answers pass through a fault. */
function http(
  id: string,
  caughtBy: string,
  spoil: (status: number, body: string) => [number, string],
): ServerMutant {
  async function start(): Promise<Staged> {
    const handle = httpHandler(scriptedHarness());
    const server = createHttpServer((request, response) => {
      handle(request, spoiling(response, spoil));
    });
    server.listen(0, "127.0.0.1");
    await once(server, "listening");
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/ahp`;
    return {
      transport: "http",
      isScripted: true,
      open: () => httpWire({ url }),
      async close() {
        server.closeAllConnections();
        server.close();
      },
    };
  }
  return { id, caughtBy, stage: start };
}

function spoiling(
  response: ServerResponse,
  spoil: (status: number, body: string) => [number, string],
): ServerResponse {
  const { end } = response;
  response.writeHead = (status: number) => {
    response.statusCode = status;
    return response;
  };
  response.end = ((body: string | undefined) => {
    const [status, text] = spoil(response.statusCode, body ?? "");
    Reflect.deleteProperty(response, "writeHead");
    response.statusCode = status;
    response.setHeader("content-type", "application/json");
    return end.call(response, text, "utf8");
  }) as typeof response.end;
  return response;
}

/** A guarded harness with a careless door. */
function door(id: string, caughtBy: string, authenticate: Authenticate<undefined>): ServerMutant[] {
  const overHttp = async (): Promise<Staged> => {
    const server = await serveHttp(scriptedHarness(), { authenticate });
    const url = server.url;
    const auth = { apiKey: SECRETS.apiKey };
    return {
      transport: "http",
      isScripted: true,
      open: () => httpWire({ url, headers: { "x-api-key": auth.apiKey } }),
      openGuarded: (shown) =>
        httpWire({
          url,
          headers:
            shown === undefined
              ? {}
              : "apiKey" in shown
                ? { "x-api-key": shown.apiKey }
                : { authorization: `Bearer ${shown.token}` },
        }),
      close: server.close,
    };
  };
  const overWebSocket = async (): Promise<Staged> => {
    const server = await serveWebSocket(scriptedHarness(), { authenticate });
    const open = (shown?: Parameters<NonNullable<Staged["openGuarded"]>>[0]) =>
      websocketWire(websocketUrl(server.url, shown).href);
    return {
      transport: "websocket",
      isScripted: true,
      open: () => open({ apiKey: SECRETS.apiKey }),
      openGuarded: open,
      close: server.close,
    };
  };
  return [
    { id: `http-${id}`, caughtBy, stage: overHttp },
    { id: `websocket-${id}`, caughtBy, stage: overWebSocket },
  ];
}

/** A Unix harness that frames in its own way: `take` gets each chunk and gives what to write. */
function lines(
  id: string,
  caughtBy: string,
  take: (chunk: Buffer, ask: (line: string) => Promise<string>) => Promise<string>,
): ServerMutant {
  async function start(): Promise<Staged> {
    const path = join(tmpdir(), `ahp-mutant-${newName()}.sock`);
    const harness = scriptedHarness();
    const server = createNetServer((socket) => {
      const connection = harness.connect({ transport: "unix", context: undefined });
      const ask = async (line: string) => {
        const reply = await connection.receive(line);
        return typeof reply === "string" ? reply : "";
      };
      socket.on("data", async (chunk) => socket.write(await take(chunk, ask)));
      socket.on("error", () => {});
    });
    server.listen(path);
    await once(server, "listening");
    return {
      transport: "unix",
      isScripted: true,
      open: () => unixWire(path),
      close: async () => void server.close(),
    };
  }
  return { id, caughtBy, stage: start };
}

function websocket(
  id: string,
  caughtBy: string,
  options: { autoPong?: boolean; binary?: boolean },
): ServerMutant {
  async function start(): Promise<Staged> {
    const harness = scriptedHarness();
    const server = new WebSocketServer({ port: 0, host: "127.0.0.1", autoPong: options.autoPong ?? true });
    server.on("connection", (socket) => {
      const connection = harness.connect({ transport: "websocket", context: undefined });
      socket.on("message", async (data: Buffer) => {
        const reply = await connection.receive(data.toString());
        const binary = options.binary === true && data.includes("ahp/event");
        if (typeof reply === "string") socket.send(reply, { binary });
      });
    });
    await once(server, "listening");
    const url = `ws://127.0.0.1:${(server.address() as AddressInfo).port}/`;
    return {
      transport: "websocket",
      isScripted: true,
      open: () => websocketWire(url),
      async close() {
        for (const socket of server.clients) socket.terminate();
        server.close();
      },
    };
  }
  return { id, caughtBy, stage: start };
}

async function openSocket(): Promise<Staged> {
  const staged = await stage("unix");
  if (staged.socketPath !== undefined) await chmod(staged.socketPath, 0o666);
  return staged;
}

export const TRANSPORT_MUTANTS: readonly ServerMutant[] = [
  http("http-200-for-notices", "http:notification", (status, body) =>
    status === 204 ? [200, "{}"] : [status, body],
  ),
  http("http-400-for-bad-messages", "http:neither", (status, body) =>
    body.includes("-32600") ? [400, body] : [status, body],
  ),
  http("http-silent-failure", "http:failed-notification", (status, body) =>
    body.includes("-32603") ? [204, ""] : [status, body],
  ),
  ...door("open-door", "auth:none", () => undefined),
  ...door("prefix-door", "auth:wrong", ({ apiKey }) =>
    apiKey !== undefined && (apiKey.startsWith(SECRETS.apiKey) || SECRETS.apiKey.startsWith(apiKey))
      ? undefined
      : null,
  ),
  ...door("one-list", "auth:crossed", ({ apiKey, token }) =>
    [SECRETS.apiKey, SECRETS.token].includes((apiKey ?? token) as never) ? undefined : null,
  ),
  lines("lines-pretty", "line:one", async (chunk, ask) => {
    const answers = await Promise.all(split(chunk).map(ask));
    const space = chunk.includes("ahp/query") ? 1 : 0;
    return answers.map((text) => `${JSON.stringify(JSON.parse(text), null, space)}\n`).join("");
  }),
  lines("lines-per-chunk", "line:split", async (chunk, ask) =>
    (await Promise.all(split(chunk).map(async (line) => `${await ask(line)}\n`))).join(""),
  ),
  lines("lines-first-only", "line:many", async (chunk, ask) => `${await ask(split(chunk)[0] ?? "")}\n`),
  { id: "unix-open-to-all", caughtBy: "unix:mode", stage: openSocket },
  websocket("websocket-no-pong", "websocket:ping", { autoPong: false }),
  websocket("websocket-binary", "event:pre_action:request", { binary: true }),
];

function split(chunk: Buffer): string[] {
  return chunk
    .toString()
    .split("\n")
    .filter((line) => line !== "");
}
