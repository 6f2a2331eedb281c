import { once } from "node:events";
import type { AddressInfo } from "node:net";

import { WebSocketServer } from "ws";

import type { Auth } from "../../auth/credentials.ts";
import { websocket } from "../../websocket/client.ts";
import type { Fake } from "./fake.ts";
import { createScript } from "./fake.ts";

export interface WebSocketFake extends Fake {
  /** Pings the client; resolves with the payload of its pong. */
  ping(payload: string): Promise<string>;
}

export async function websocketFake(): Promise<WebSocketFake> {
  const script = createScript();
  const server = new WebSocketServer({ port: 0, host: "127.0.0.1" });
  server.on("connection", (socket, request) => {
    const { method = "", url: path = "", headers } = request;
    const head = { method, url: path, headers };
    socket.on("message", async (data: Buffer, isBinary: boolean) => {
      const said = await script.take({ text: data.toString(), head, isBinary });
      if (said.cut) return socket.terminate();
      for (const text of said.texts ?? []) socket.send(text);
    });
  });
  await once(server, "listening");
  // A query that is there already: a credential must be appended to it.
  const url = `ws://127.0.0.1:${(server.address() as AddressInfo).port}/any/path?room=1%2B1`;
  const cut = () => server.clients.forEach((socket) => socket.terminate());
  return Object.assign(script, {
    url,
    transport: (auth?: Auth) => websocket({ url, auth }),
    cut,
    async ping(payload: string) {
      const [socket] = server.clients;
      if (socket === undefined) throw new Error("nobody is connected");
      socket.ping(payload);
      const [pong] = (await once(socket, "pong", { signal: AbortSignal.timeout(5_000) })) as [Buffer];
      return pong.toString();
    },
    async close() {
      cut();
      server.close();
    },
  });
}
