import { globalAgent } from "node:http";
import { createRequire } from "node:module";
import type { Socket } from "node:net";
import type { Duplex } from "node:stream";
import type { Dispatcher, Agent as UndiciAgent, buildConnector } from "undici";
import { sendByNode } from "./send-by-node.ts";
import { type Listener, type Sent, firstOf } from "./sent.ts";
import { unpackerOf } from "./unpacked.ts";

type Headers = Parameters<NonNullable<Dispatcher.DispatchHandler["onResponseStart"]>>[2];

// Two files of undici and what they need. The whole of it takes twice as long to load, which the first turn would wait for,
// and where `fetch` was not used yet, or is of another version, puts an agent of its own in the place of the one it uses.
const load = createRequire(import.meta.url);
const Agent = load("undici/lib/dispatcher/agent.js") as typeof UndiciAgent;
const connector = load("undici/lib/core/connect.js") as typeof buildConnector;

/** How long one may take is for whoever sends it to say: none of undici's own limits is in force. */
const NO_LIMITS = { allowH2: false, headersTimeout: 0, bodyTimeout: 0 } as const;

/** The connection that was opened for the request that is being sent: undici opens it at once. */
let opened: Socket | undefined;

const connect = connector({ timeout: 0, allowH2: false }) as (
  ...args: Parameters<buildConnector.connector>
) => Socket;
const agent = new Agent({ ...NO_LIMITS, connect: (...args) => void (opened = connect(...args)) });

/** Whether Node was told to go by the environment. undici's own way has limits on time, and what is given up there goes on. */
const { options } = globalAgent as { readonly options?: { readonly proxyEnv?: unknown } };
const proxied = options?.proxyEnv !== undefined;

/** Servers that say "100 Continue" to whoever did not ask: for undici that is no answer. */
const early = new Set<string>();

/** Where a server sends a request on as it is. */
const SENT_ON: ReadonlySet<number> = new Set([307, 308]);
const MOST_SENT_ON = 5;

/** Of the connection, and not for anybody to give: a request that has one is not sent. */
const NOT_GIVEN: ReadonlySet<string> = new Set([
  "content-length",
  "expect",
  "keep-alive",
  "transfer-encoding",
  "upgrade",
]);

/** What every request says. Names are in small letters, so that what is given stands for what would be said by itself. */
export function headersTo(url: URL, given: Readonly<Record<string, string>>): Record<string, string> {
  const { username, password } = url;
  const pair = `${decodeURIComponent(username)}:${decodeURIComponent(password)}`;
  return {
    accept: "*/*",
    // There are gates that let nobody in who does not say what they are.
    "user-agent": "fairlead",
    "content-type": "application/json",
    ...(pair === ":" ? {} : { authorization: `Basic ${Buffer.from(pair).toString("base64")}` }),
    ...Object.fromEntries(
      Object.entries(given)
        .map(([name, value]) => [name.toLowerCase(), value] as const)
        .filter(([name]) => !NOT_GIVEN.has(name)),
    ),
    "accept-encoding": "identity",
  };
}

/**
 * A POST over connections that are kept open, one for each request that is under way. Goes where the server sends it on to,
 * but not to another server: neither the key nor the conversation is meant for that one. Not over `node:http`, which takes
 * half as long again for a short answer.
 */
export function send(url: URL, headers: Readonly<Record<string, string>>, body: string, to: Listener): Sent {
  if (proxied || early.has(url.origin)) return sendByNode(url, headers, body, to);
  return new Sending(url, headers, body, to, MOST_SENT_ON);
}

class Sending implements Sent, Dispatcher.DispatchHandler {
  readonly #url: URL;
  readonly #headers: Readonly<Record<string, string>>;
  readonly #body: string;
  readonly #listener: Listener;
  readonly #left: number;
  /** While it has none, it waits for its connection. */
  #controller: Dispatcher.DispatchController | undefined;
  #opening: Socket | undefined;
  #unpack: Duplex | undefined;
  #next: Sending | undefined;
  #over = false;

  constructor(
    url: URL,
    headers: Readonly<Record<string, string>>,
    body: string,
    listener: Listener,
    left: number,
  ) {
    this.#url = url;
    this.#headers = headers;
    this.#body = body;
    this.#listener = listener;
    this.#left = left;
    opened = undefined;
    const path = url.pathname + url.search;
    agent.dispatch({ origin: url.origin, path, method: "POST", headers: { ...headers }, body }, this);
    if (this.#controller === undefined) this.#opening = opened;
    opened = undefined;
  }

  stop(reason: Error): void {
    if (this.#next !== undefined) return this.#next.stop(reason);
    if (this.#over) return;
    this.#unpack?.destroy();
    if (this.#controller !== undefined) this.#controller.abort(reason);
    else this.#opening?.destroy(reason);
    this.#fail(reason);
  }

  pause(): void {
    if (this.#next !== undefined) this.#next.pause();
    else if (this.#unpack === undefined) this.#controller?.pause();
    else this.#unpack.pause();
  }

  resume(): void {
    if (this.#next !== undefined) this.#next.resume();
    else if (this.#unpack === undefined) this.#controller?.resume();
    else this.#unpack.resume();
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.#controller = controller;
    this.#opening = undefined;
    if (this.#over) controller.abort(new Error("The request was given up."));
  }

  onResponseStart(
    controller: Dispatcher.DispatchController,
    status: number,
    headers: Headers,
    statusMessage = "",
  ): void {
    if (status < 200 || this.#over) return;
    const to = SENT_ON.has(status) ? URL.parse(firstOf(headers["location"]) ?? "", this.#url) : null;
    if (to !== null && to.origin === this.#url.origin && this.#left > 0) {
      this.#over = true;
      this.#next = new Sending(to, this.#headers, this.#body, this.#listener, this.#left - 1);
      return;
    }
    this.#unpack = unpackerOf(headers["content-encoding"])
      ?.on("data", (bytes: Uint8Array) => this.#listener.heard(bytes))
      .on("end", () => this.#end())
      .on("error", (error) => this.#fail(error))
      .on("drain", () => controller.resume());
    this.#listener.began({ status, statusMessage, headers });
  }

  onResponseData(controller: Dispatcher.DispatchController, bytes: Uint8Array): void {
    if (this.#over) return;
    if (this.#unpack === undefined) this.#listener.heard(bytes);
    else if (!this.#unpack.write(bytes)) controller.pause();
  }

  onResponseEnd(): void {
    if (this.#unpack !== undefined) return void this.#unpack.end();
    // The connection is free when undici's own immediate has run, which it asks for after this: whoever sends the next request
    // at once would open another.
    queueMicrotask(() => setImmediate(() => this.#end()));
  }

  onResponseError(_: unknown, error: Error): void {
    this.#unpack?.destroy();
    if (error.message === "bad response") early.add(this.#url.origin);
    this.#fail(error);
  }

  #end(): void {
    if (this.#over) return;
    this.#over = true;
    this.#listener.ended();
  }

  #fail(error: unknown): void {
    if (this.#over) return;
    this.#over = true;
    this.#listener.failed(error);
  }
}
