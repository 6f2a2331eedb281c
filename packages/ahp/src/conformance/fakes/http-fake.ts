import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";

import type { Auth } from "../../auth/credentials.ts";
import { http } from "../../http/client.ts";
import type { Fake } from "./fake.ts";
import { createScript } from "./fake.ts";

export async function httpFake(): Promise<Fake> {
  const script = createScript();
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const { method = "", url: path = "", headers } = request;
    const head = { method, url: path, headers };
    const { texts = [], status, cut } = await script.take({ text: Buffer.concat(chunks).toString(), head });
    if (cut) return void request.socket.destroy();
    const body = texts.join("\n");
    response.writeHead(status ?? (body === "" ? 204 : 200), { "content-type": "application/json" });
    response.end(body);
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/ahp`;
  return Object.assign(script, {
    url,
    transport: (auth?: Auth) => http({ url, auth }),
    cut: () => server.closeAllConnections(),
    async close() {
      server.close();
      server.closeAllConnections();
    },
  });
}
