import { setTimeout as sleep } from "node:timers/promises";
import type { NewEvent, Role, SessionId } from "@fairlead/contract";
import {
  createRuntime,
  type Runtime,
  type RuntimeOptions,
  type StoreChoice,
} from "../../src/create-runtime.ts";
import { SYSTEM_ACTOR } from "../../src/domain/actor.ts";
import { scriptedModel } from "../../src/models/scripted.ts";
import type { Model } from "../../src/ports/model.ts";
import { createServer, type FairleadServer } from "../../src/server/app.ts";
import { tokenAuthenticator } from "../../src/server/auth/authenticator.ts";
import type { Logger, ServerConfig, ServerDeps } from "../../src/server/config.ts";
import { temporaryFolder } from "../stores.ts";
import { createMetrics, observedLog } from "../../src/server/metrics.ts";

export const ROLES: readonly Role[] = ["viewer", "operator", "admin", "agent"];

export interface LogLine {
  readonly level: string;
  readonly entry: Record<string, unknown>;
}

export interface Site {
  readonly runtime: Runtime;
  readonly server: FairleadServer;
  readonly url: string;
  readonly port: number;
  readonly logged: LogLine[];
  /** A token of each role, all projects. */
  readonly tokens: Readonly<Record<Role, string>>;
  /** `fetch` with a token; a path begins with a slash. */
  call(path: string, options?: CallOptions): Promise<Response>;
  token(role: Role, project?: string | null, actor?: string): Promise<{ secret: string; id: string }>;
  session(role?: Role, project?: string | null): Promise<SessionId>;
  /** Appends `count` output deltas, and waits until they are durable. */
  write(session: SessionId, count: number, text?: string): Promise<void>;
  /** Waits until the session has no open turn. */
  idle(session: string): Promise<void>;
  close(): Promise<void>;
}

export interface CallOptions {
  readonly as?: Role | string | null;
  readonly method?: string;
  readonly body?: unknown;
  readonly headers?: Record<string, string>;
  readonly signal?: AbortSignal;
}

export interface SiteOptions {
  readonly store?: StoreChoice;
  readonly models?: readonly Model[];
  /** What else the runtime is made with: a workspace, tools. */
  readonly runtime?: Partial<RuntimeOptions>;
  readonly config?: Partial<ServerConfig>;
  /** Made over the runtime, before the server. */
  readonly harness?: (runtime: Runtime) => Promise<NonNullable<ServerDeps["harness"]>>;
}

export function delta(text: string): NewEvent {
  return { type: "agent.output.delta", data: { text } };
}

/** Answers at once, or, asked to, never. */
const QUICK = scriptedModel({
  script: {
    rules: [
      { when: "hang", do: [{ say: "One moment" }, { hang: true }] },
      { do: [{ say: "Here you are." }] },
    ],
  },
});

/** One to look at and to trust, for a tool that nobody has. */
const HOOKS: NonNullable<RuntimeOptions["hooks"]> = {
  base: "/",
  hooks: [
    {
      name: "example",
      on: "before_tool",
      tools: ["nobodys"],
      command: ["true"],
      blocking: false,
      timeout_ms: 1_000,
    },
  ],
};

/** A whole server on a port of its own, over a real socket. */
export async function startSite(options: SiteOptions = {}): Promise<Site> {
  const metrics = createMetrics({ process: false });
  const places = temporaryFolder();
  const runtime = await createRuntime({
    store: options.store ?? "memory",
    env: {},
    sealKey: Buffer.alloc(32, 7),
    observe: (log) => observedLog(log, metrics),
    models: options.models ?? [QUICK],
    hooks: HOOKS,
    workspaces: { isolate: "background", keepMs: 3_600_000, directory: places.path },
    // Background work stays queued, so that nothing moves by itself.
    limits: { background: 0 },
    ...options.runtime,
  });
  await runtime.start();
  const { services, log } = runtime;
  const logged: LogLine[] = [];
  const at = (level: string) => (entry: unknown) =>
    void logged.push({ level, entry: entry as Record<string, unknown> });
  const logger = { debug: at("debug"), info: at("info"), warn: at("warn"), error: at("error") } as Logger;
  const server = createServer({
    runtime,
    auth: tokenAuthenticator(services.tokens),
    config: { host: "127.0.0.1", port: 0, version: "0.0.0-test", ...options.config },
    logger,
    metrics,
    ...(options.harness === undefined ? {} : { harness: await options.harness(runtime) }),
  });
  const { url, port } = await server.listen();

  async function token(role: Role, project: string | null = null, actor: string = role) {
    const made = await services.tokens.create(SYSTEM_ACTOR, { actor, role, project });
    return { secret: made.secret, id: made.token.token_id };
  }
  const tokens = {} as Record<Role, string>;
  for (const role of ROLES) tokens[role] = (await token(role)).secret;

  const site: Site = {
    runtime,
    server,
    url,
    port,
    logged,
    tokens,
    token,
    call(path, { as = "admin", method = "GET", body, headers = {}, signal } = {}) {
      const secret = as !== null && Object.hasOwn(tokens, as) ? tokens[as as Role] : as;
      return fetch(`${url}${path}`, {
        method,
        redirect: "manual",
        ...(body === undefined ? {} : { body: typeof body === "string" ? body : JSON.stringify(body) }),
        headers: {
          ...(secret === null ? {} : { authorization: `Bearer ${secret}` }),
          ...(body === undefined ? {} : { "content-type": "application/json" }),
          ...headers,
        },
        ...(signal === undefined ? {} : { signal }),
      });
    },
    async session(role = "operator", project = null) {
      const actor = { name: role, role, project, token_id: null };
      return (await services.sessions.create(actor, {})).session_id;
    },
    async write(session, count, text = "word ") {
      const events = Array.from({ length: count }, (_, i) => delta(`${text}${i}`));
      const done = await log.append({ writes: [{ stream: session, events }] });
      if (!done.ok) throw new Error(done.refusal.message);
    },
    async idle(session) {
      while ((await services.sessions.get(SYSTEM_ACTOR, session)).turn_id !== null) await sleep(5);
    },
    async close() {
      await server.close();
      await runtime.stop();
      places.remove();
    },
  };
  return site;
}

export interface Frame {
  readonly id: string | null;
  readonly event: string | null;
  readonly data: string | null;
}

/** Parses SSE as the HTML standard says, as far as we use it. Keeps comments apart. */
export function sseParser(onFrame: (frame: Frame) => void, onComment: (text: string) => void = () => {}) {
  let rest = "";
  let id: string | null = null;
  let event: string | null = null;
  let data: string | null = null;
  return (chunk: string): void => {
    const lines = (rest + chunk).split("\n");
    rest = lines.pop() ?? "";
    for (const line of lines) {
      if (line === "") {
        if (id !== null || event !== null || data !== null) onFrame({ id, event, data });
        id = event = data = null;
      } else if (line.startsWith(":")) onComment(line.slice(1).trim());
      else if (line.startsWith("id: ")) id = line.slice(4);
      else if (line.startsWith("event: ")) event = line.slice(7);
      else if (line.startsWith("data: ")) data = (data === null ? "" : `${data}\n`) + line.slice(6);
    }
  };
}

export interface OpenStream {
  readonly response: Response;
  readonly frames: Frame[];
  readonly comments: string[];
  /** All that was received, as text. */
  readonly text: () => string;
  /** Resolves once the frames satisfy the test. */
  until(test: (frames: readonly Frame[]) => boolean): Promise<void>;
  /** Resolves when the server has ended the stream. */
  readonly ended: Promise<void>;
  close(): void;
}

export async function openSse(site: Site, path: string, options: CallOptions = {}): Promise<OpenStream> {
  const abort = new AbortController();
  const response = await site.call(path, {
    ...options,
    signal: abort.signal,
    headers: { accept: "text/event-stream", ...options.headers },
  });
  const frames: Frame[] = [];
  const comments: string[] = [];
  const waiting = new Set<() => void>();
  let all = "";
  const parse = sseParser(
    (frame) => frames.push(frame),
    (comment) => comments.push(comment),
  );
  const ended = (async () => {
    const decoder = new TextDecoder();
    try {
      for await (const chunk of response.body ?? []) {
        const text = decoder.decode(chunk as Uint8Array, { stream: true });
        all += text;
        parse(text);
        for (const wake of waiting) wake();
      }
    } catch {
      // Cut, by us or by the server.
    }
    for (const wake of waiting) wake();
  })();
  let done = false;
  void ended.then(() => (done = true));
  return {
    response,
    frames,
    comments,
    text: () => all,
    ended,
    async until(test) {
      while (!test(frames)) {
        if (done) throw new Error(`stream ended early: ${all.slice(-500)}`);
        await new Promise<void>((resolve) => {
          waiting.add(resolve);
          void ended.then(resolve);
        });
        waiting.clear();
      }
    },
    close: () => abort.abort(),
  };
}

export interface ErrorAnswer {
  readonly code: string;
  readonly hint: string;
  readonly details: { readonly issues: readonly { readonly field: string; readonly problem: string }[] };
}

export async function errorOf(
  response: Response,
): Promise<{ status: number; code: string; body: ErrorAnswer }> {
  const body = (await response.json()) as ErrorAnswer;
  return { status: response.status, code: body.code, body };
}
