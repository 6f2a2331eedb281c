import type { ChildProcessWithoutNullStreams } from "node:child_process";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { Agent, request as httpRequest } from "node:http";
import { connect as netConnect } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

import type { Link, Transport } from "@fairlead/ahp";
import { connect, multiplex } from "@fairlead/ahp";
import { http } from "@fairlead/ahp/http";
import { unix } from "@fairlead/ahp/unix";
import { websocket } from "@fairlead/ahp/websocket";

import { lineLink } from "../../packages/ahp/src/lines/link.ts";
import { websocketLink } from "../../packages/ahp/src/websocket/client-link.ts";
import { PAYLOAD, question, WHO } from "./messages.ts";

export const TRANSPORTS = ["stdio", "unix", "websocket", "http"] as const;
export type TransportName = (typeof TRANSPORTS)[number];

/** One side of a pair: asks once and resolves with the answer. */
export interface Side {
  ask(): Promise<unknown>;
  close(): Promise<void>;
}

const SERVER = fileURLToPath(new URL("server.ts", import.meta.url));
let counter = 0;

export async function openSide(kind: "ours" | "raw", transport: TransportName): Promise<Side> {
  const path = join(tmpdir(), `ahp-bench-${process.pid}-${(counter += 1)}.sock`);
  const child = spawn(process.execPath, [
    ...(process.env["BENCH_NODE_ARGS"]?.split(" ") ?? []),
    SERVER,
    kind,
    transport,
    path,
  ]);
  const where = await listening(child);
  const side = kind === "ours" ? await oursTo(transport, child, where) : await rawTo(transport, child, where);
  return {
    ask: side.ask,
    async close() {
      await side.close();
      child.stdin.end();
      if (child.exitCode === null) await once(child, "exit");
    },
  };
}

function listening(child: ChildProcessWithoutNullStreams): Promise<string> {
  return new Promise((resolve, reject) => {
    child.stderr.on("data", (chunk: Buffer) => {
      const found = /listening (.*)\n/.exec(chunk.toString());
      if (found) resolve(found[1] ?? "");
      else process.stderr.write(chunk);
    });
    child.on("exit", (code) => reject(new Error(`the bench server ended with ${code}`)));
  });
}

async function oursTo(
  name: TransportName,
  child: ChildProcessWithoutNullStreams,
  where: string,
): Promise<Side> {
  const transports: Record<TransportName, () => Transport> = {
    stdio: () => ({
      name: "stdio",
      lifetime: "process",
      connect: async ({ onStray }) => multiplex(lineLink(child.stdout, child.stdin), { onStray }),
    }),
    unix: () => unix({ path: where }),
    websocket: () => websocket({ url: where }),
    http: () => http({ url: where }),
  };
  const client = await connect(transports[name](), WHO);
  return { ask: () => client.decide("pre_action", PAYLOAD), close: client.close };
}

async function rawTo(
  name: TransportName,
  child: ChildProcessWithoutNullStreams,
  where: string,
): Promise<Side> {
  switch (name) {
    case "stdio":
      return rawOver(lineLink(child.stdout, child.stdin));
    case "unix": {
      const socket = netConnect(where);
      return rawOver(lineLink(socket, socket));
    }
    case "websocket": {
      const socket = new WebSocket(where);
      await new Promise((resolve) => socket.addEventListener("open", resolve));
      return rawOver(websocketLink(socket, { maxMessageBytes: 1e9 }));
    }
    case "http":
      return rawHttp(where);
  }
}

function rawOver(link: Link): Side {
  const open = new Map<string, (value: unknown) => void>();
  let id = 0;
  link.listen({
    message(text) {
      const message = JSON.parse(text) as { id: string; result: unknown };
      open.get(message.id)?.(message.result);
      open.delete(message.id);
    },
    garbage: () => {},
    closed: () => {},
  });
  return {
    ask: () =>
      new Promise((resolve) => {
        const name = `raw-${(id += 1)}`;
        open.set(name, resolve);
        void link.send(question(name));
      }),
    close: link.close,
  };
}

function rawHttp(url: string): Side {
  const agent = new Agent({ keepAlive: true });
  let id = 0;
  return {
    ask: () =>
      new Promise((resolve, reject) => {
        const text = question(`raw-${(id += 1)}`);
        const request = httpRequest(url, {
          method: "POST",
          agent,
          headers: { "content-type": "application/json", "content-length": Buffer.byteLength(text) },
        });
        request.on("response", (response) => {
          const chunks: Buffer[] = [];
          response.on("data", (chunk: Buffer) => chunks.push(chunk));
          response.on("end", () =>
            resolve((JSON.parse(Buffer.concat(chunks).toString()) as { result: unknown }).result),
          );
        });
        request.on("error", reject);
        request.end(text);
      }),
    close: async () => agent.destroy(),
  };
}
