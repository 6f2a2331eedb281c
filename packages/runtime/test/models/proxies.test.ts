import { spawn } from "node:child_process";
import { once } from "node:events";
import { type Server, createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { fileURLToPath } from "node:url";
import { expect, it, onTestFinished } from "vitest";
import { serveModel } from "../../src/models/serve/server.ts";

const MODEL = fileURLToPath(new URL("../../src/models/compatible.ts", import.meta.url));

/** Says what came of a call, or that it was given up. What it was told of proxies holds for a process. */
const CALL = `
  const { compatibleModel } = await import(process.argv[1]);
  const model = compatibleModel({ id: "any", baseUrl: process.argv[2] });
  const stop = new AbortController();
  if (process.argv[3]) setTimeout(() => stop.abort(), Number(process.argv[3]));
  try {
    let text = "";
    const request = { messages: [{ role: "user", text: "Hi" }] };
    for await (const part of model.stream(request, stop.signal)) text += part.text ?? "";
    console.log(JSON.stringify({ text }));
  } catch ({ kind, status, unsent }) {
    console.log(JSON.stringify({ kind, status, unsent }));
  }
`;

async function listening(server: Server): Promise<string> {
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => (server.closeAllConnections(), void server.close()));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

async function call(proxy: string, baseUrl: string, stopAfter = ""): Promise<unknown> {
  const env = { ...process.env, NODE_USE_ENV_PROXY: "1", HTTP_PROXY: proxy, HTTPS_PROXY: proxy };
  for (const name of ["http_proxy", "https_proxy", "no_proxy", "NO_PROXY", "NODE_OPTIONS"])
    Reflect.deleteProperty(env, name);
  const args = ["--input-type=module", "-e", CALL, MODEL, baseUrl, stopAfter];
  const child = spawn(process.execPath, args, { env, stdio: ["ignore", "pipe", "inherit"] });
  let out = "";
  child.stdout.on("data", (some: Buffer) => void (out += some.toString()));
  await once(child, "close");
  return JSON.parse(out) as unknown;
}

it("a model is asked by the proxy that Node was told of, and what the proxy says is understood", async () => {
  const model = await serveModel({ script: { rules: [{ do: [{ say: "Hello there." }] }] } });
  onTestFinished(() => model.close());
  const asked: string[] = [];
  const proxy = await listening(
    createServer((request, response) => {
      asked.push(String(request.url));
      if (request.url?.includes("closed") === true) return void response.writeHead(407).end();
      void (async () => {
        const body = await new Response(request as unknown as ReadableStream).text();
        const answer = await fetch(String(request.url), { method: "POST", body });
        response.writeHead(answer.status, { "content-type": "text/event-stream" });
        response.end(await answer.text());
      })();
    }),
  );
  expect(await call(proxy, `${model.url}/v1`)).toEqual({ text: "Hello there." });
  expect(asked).toEqual([`${model.url}/v1/chat/completions`]);
  expect(await call(proxy, "http://closed.invalid/v1")).toEqual({
    kind: "refused",
    status: 407,
    unsent: false,
  });
});

it("a call that is given up while its proxy makes no way for it leaves nothing behind", async () => {
  const silent = createServer().on("connect", () => {});
  const url = await listening(silent);
  expect(await call(url, "https://model.invalid/v1", "100")).toEqual({ text: "" });
}, 20_000);
