import { createServer as createHttpServer } from "node:http";
import type { AddressInfo } from "node:net";
import { createServer as createNetServer } from "node:net";

import { createServer } from "@fairlead/ahp";
import type { Link } from "@fairlead/ahp";
import { serveHttp } from "@fairlead/ahp/http";
import { serveStdio } from "@fairlead/ahp/stdio";
import { serveUnix } from "@fairlead/ahp/unix";
import { serveWebSocket } from "@fairlead/ahp/websocket";
import { WebSocketServer } from "ws";

import { lineLink } from "../../packages/ahp/src/lines/link.ts";
import { serverLink } from "../../packages/ahp/src/websocket/server-link.ts";
import { answer } from "./messages.ts";

/** Runs as a child process: `server.ts KIND TRANSPORT [PATH]`; tells where it listens on stderr. */
const [kind, transport, path = ""] = process.argv.slice(2);

const ours = createServer({ pre_action: () => ({ decision: "allow" }) });

/** Parse and stringify on the very same links: what is left is the cost of the protocol. */
function serveRaw(link: Link): void {
  link.listen({
    message: (text) => link.send(answer(text)),
    garbage: () => {},
    closed: () => void link.close(),
  });
}

const servers: Record<string, Record<string, () => Promise<string> | string>> = {
  ours: {
    stdio: () => {
      void serveStdio(ours);
      return "";
    },
    unix: async () => (await serveUnix(ours, { path })).path,
    http: async () => (await serveHttp(ours)).url,
    websocket: async () => (await serveWebSocket(ours)).url,
  },
  raw: {
    stdio: () => {
      serveRaw(lineLink(process.stdin, process.stdout));
      return "";
    },
    unix: () =>
      new Promise((resolve) => {
        const server = createNetServer((socket) => serveRaw(lineLink(socket, socket)));
        server.listen(path, () => resolve(path));
      }),
    http: () =>
      new Promise((resolve) => {
        const server = createHttpServer((request, response) => {
          const chunks: Buffer[] = [];
          request.on("data", (chunk: Buffer) => chunks.push(chunk));
          request.on("end", () => {
            const text = answer(Buffer.concat(chunks).toString());
            response.writeHead(200, {
              "content-type": "application/json",
              "content-length": Buffer.byteLength(text),
            });
            response.end(text);
          });
        });
        server.listen(0, "127.0.0.1", () =>
          resolve(`http://127.0.0.1:${(server.address() as AddressInfo).port}/ahp`),
        );
      }),
    websocket: () =>
      new Promise((resolve) => {
        const acceptor = new WebSocketServer({ noServer: true, perMessageDeflate: false });
        const server = createHttpServer();
        server.on("upgrade", (request, stream, head) =>
          acceptor.handleUpgrade(request, stream, head, (socket) =>
            serveRaw(serverLink(socket, stream, 1e9)),
          ),
        );
        server.listen(0, "127.0.0.1", () =>
          resolve(`ws://127.0.0.1:${(server.address() as AddressInfo).port}/`),
        );
      }),
  },
};

const where = await servers[kind ?? ""]?.[transport ?? ""]?.();
process.stderr.write(`listening ${where}\n`);
process.stdin.on("end", () => process.exit(0));
if (transport !== "stdio") process.stdin.resume();
