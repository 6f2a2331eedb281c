import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { choosePlay, type Played } from "../play.ts";
import type { Script } from "../script.ts";
import { anthropicMessages } from "./anthropic.ts";
import { isJson, type Json } from "./decode.ts";
import { deliver, type Kept } from "./deliver.ts";
import type { Dialect } from "./dialect.ts";
import { gemini } from "./gemini.ts";
import { openaiChat } from "./openai-chat.ts";
import { openaiResponses } from "./openai-responses.ts";
import { outletOf } from "./outlet.ts";

export interface ModelServerOptions {
  readonly script: Script;
  /** Loopback unless given. */
  readonly host?: string;
  /** 0 takes any free one. */
  readonly port?: number;
  /** What `GET /v1/models` names. Requests may name any. */
  readonly id?: string;
  /** Told of every request that could be read. Must not throw. */
  readonly observe?: (path: string, body: Json) => void;
}

export interface ModelServer {
  /** Without a path: OpenAI's clients want `/v1` after it, Google's `/v1beta`. */
  readonly url: string;
  /** Ends answers under way. */
  close(): Promise<void>;
}

const MAX_BODY_BYTES = 64 * 1024 * 1024;

const DIALECTS: Readonly<Record<string, Dialect>> = {
  "/v1/chat/completions": openaiChat,
  "/v1/responses": openaiResponses,
  "/v1/messages": anthropicMessages,
};

/** The scripted model as the APIs that real clients speak. `at_first` counts for the server, over all its clients. */
export async function serveModel(options: ModelServerOptions): Promise<ModelServer> {
  const { script, host = "127.0.0.1", port = 0, id = "scripted", observe } = options;
  const played: Played = new Map();
  const kept: Kept = new WeakMap();

  async function answer(message: IncomingMessage, response: ServerResponse): Promise<void> {
    const path = (message.url ?? "").split("?", 1)[0] ?? "";
    if (message.method === "GET" && path === "/v1/models") return json(response, 200, modelList(id));
    const dialect = Object.hasOwn(DIALECTS, path)
      ? DIALECTS[path]
      : path.includes("/models/")
        ? gemini
        : undefined;
    if (dialect === undefined) return json(response, 404, openaiChat.error(404, `There is no ${path} here.`));
    if (message.method !== "POST") return json(response, 405, dialect.error(405, "Use POST."));
    let asked;
    try {
      const body = await readJson(message);
      observe?.(path, body);
      asked = dialect.decode(body, path);
    } catch (error) {
      return json(response, 400, dialect.error(400, (error as Error).message));
    }
    const encoder = dialect.encode(asked);
    await deliver({
      play: choosePlay(script, asked.request, played),
      wordMs: script.word_ms ?? 0,
      dialect,
      encoder,
      outlet: outletOf(response, encoder.contentType),
      kept,
    });
  }

  const server = createServer((message, response) => {
    answer(message, response).catch(() => response.destroy());
  });
  // Longer than clients keep idle connections, so that they never meet one that is just being closed.
  server.keepAliveTimeout = 120_000;
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(port, host, resolve);
  });
  const { port: bound } = server.address() as AddressInfo;
  return {
    url: `http://${host.includes(":") ? `[${host}]` : host}:${bound}`,
    close() {
      const closed = new Promise<void>((resolve) => server.close(() => resolve()));
      server.closeAllConnections();
      return closed;
    },
  };
}

function json(response: ServerResponse, status: number, body: unknown): void {
  response.writeHead(status, { "content-type": "application/json" });
  response.end(JSON.stringify(body));
}

function modelList(id: string): unknown {
  return { object: "list", data: [{ id, object: "model", created: 1_767_225_600, owned_by: "fairlead" }] };
}

async function readJson(message: IncomingMessage): Promise<Json> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of message as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > MAX_BODY_BYTES) throw new RangeError("The body is too large.");
    chunks.push(chunk);
  }
  const body: unknown = JSON.parse(Buffer.concat(chunks).toString("utf8"));
  if (!isJson(body)) throw new TypeError("The body must be a JSON object.");
  return body;
}
