import { createServer as createHttpServer } from "node:http";
import { type AddressInfo, connect, createServer } from "node:net";
import { expect, it, onTestFinished } from "vitest";
import { anthropicModel } from "../../src/models/anthropic.ts";
import { compatibleModel } from "../../src/models/compatible.ts";
import { serveModel } from "../../src/models/serve/server.ts";
import type { Model } from "../../src/ports/model.ts";
import { ask, textOf } from "./support.ts";

const SCRIPT = { rules: [{ do: [{ say: "Hello there." }] }] };
const request = { messages: [{ role: "user", text: "Hi" }] } as const;

const MODELS: Readonly<Record<string, (url: string) => Model>> = {
  anthropic: (url) => anthropicModel({ id: "claude-sonnet-5-5", apiKey: "key", baseUrl: `${url}/v1` }),
  compatible: (url) => compatibleModel({ id: "any", baseUrl: `${url}/v1` }),
};

async function listening(server: ReturnType<typeof createServer>): Promise<string> {
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

it.each(Object.keys(MODELS))("%s uses connections again", async (name) => {
  const server = await serveModel({ script: SCRIPT });
  let connections = 0;
  const proxy = createServer((socket) => {
    connections += 1;
    const onward = connect(Number(new URL(server.url).port), "127.0.0.1");
    socket.pipe(onward).pipe(socket);
    for (const side of [socket, onward]) side.on("error", () => side.destroy());
  });
  const model = MODELS[name]?.(await listening(proxy)) as Model;
  for (let round = 0; round < 8; round++) expect(textOf(await ask(model, request))).toBe("Hello there.");
  // A second may open before the first is free again.
  expect(connections).toBeLessThan(4);
  await server.close();
  proxy.close();
});

it("an answer that is complete is not kept waiting by a server that does not end it", async () => {
  const real = await serveModel({ script: SCRIPT });
  const recorded = await fetch(`${real.url}/v1/messages`, {
    method: "POST",
    body: JSON.stringify({ model: "any", stream: true, messages: [{ role: "user", content: "Hi" }] }),
  });
  const frames = await recorded.text();
  await real.close();
  const lazy = createHttpServer((_, response) => {
    response.writeHead(200, { "content-type": "text/event-stream" });
    response.write(frames);
  });
  onTestFinished(() => lazy.closeAllConnections());
  const parts = await ask(MODELS["anthropic"]?.(await listening(lazy)) as Model, request);
  expect(parts.at(-1)).toEqual({ type: "finish", reason: "stop" });
  lazy.close();
});
