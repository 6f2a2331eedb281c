// A whole installation for a test: SQLite, the tools that come along, and a server on a socket, each as a user has it.
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import type { FrontendFrame, QuestionRow, RouteBody } from "@fairlead/contract";
import type { RuntimeOptions } from "../../src/create-runtime.ts";
import { ToolsConfig } from "../../src/host/tools-config.ts";
import type { Rule } from "../../src/models/script.ts";
import { scriptedModel } from "../../src/models/scripted.ts";
import type { Model } from "../../src/ports/model.ts";
import { type Frame, type Site, openSse, startSite } from "../server/support.ts";

export type Shown = FrontendFrame & { readonly payload: Record<string, unknown> };

export interface Live extends AsyncDisposable {
  readonly site: Site;
  readonly outside: string;
  readonly workspace: string;
  readonly data: string;
  /** A file of the workspace. */
  put(path: string, content: string): string;
  session(settings?: RouteBody<"createChatSession">): Promise<string>;
  /** Sends a request, and gives what its stream said until the turn ended or was parked. */
  turn(session: string, input: string): Promise<readonly Shown[]>;
  /** All that the session's stream says, from its start to where it stands now. */
  frames(session: string): Promise<readonly Shown[]>;
  questions(session: string): Promise<readonly QuestionRow[]>;
  /** Until what it does has ended, or waits for somebody. */
  resting(session: string): Promise<void>;
  decide(question: QuestionRow, decision?: "approved" | "denied"): Promise<void>;
  json(path: string, body?: unknown): Promise<Record<string, unknown>>;
  /** Stops, and begins anew over the same data. What was here is of no use any more. */
  restarted(): Promise<Pick<Live, "json">>;
}

export interface LiveOptions {
  readonly rules?: readonly Rule[];
  readonly models?: readonly Model[];
  readonly tools?: object;
  readonly runtime?: Partial<RuntimeOptions>;
  /** Where its places are made. */
  readonly base?: string;
  /** What the runtime is made with, where that depends on the places. */
  readonly runtimeAt?: (places: Places) => Partial<RuntimeOptions>;
  /** Called when the places are there, before anything else. */
  readonly before?: (places: Places) => void;
}

type Places = Pick<Live, "outside" | "workspace" | "data">;

export async function live({
  rules = [],
  models,
  tools = {},
  runtime = {},
  base = tmpdir(),
  runtimeAt = () => ({}),
  before = () => {},
}: LiveOptions): Promise<Live> {
  // Deep, so that a path that climbs out by mistake still ends in what is thrown away.
  const top = realpathSync(mkdtempSync(join(base, "fairlead-live-")));
  const outside = join(top, "1/2/3");
  const [workspace, data] = [join(outside, "workspace"), join(outside, "data")];
  mkdirSync(workspace, { recursive: true });
  before({ outside, workspace, data });
  const start = () =>
    startSite({
      store: { sqlite: data },
      models: models ?? [scriptedModel({ script: { rules: [...rules] } })],
      runtime: {
        workspace,
        tools: ToolsConfig.parse(tools),
        // Nothing is kept in the home of whoever runs the tests.
        env: {
          PATH: process.env["PATH"],
          XDG_CONFIG_HOME: join(outside, "conf"),
          XDG_STATE_HOME: join(outside, "state"),
        },
        ...runtime,
        limits: { background: 8, ...runtime.limits },
        ...runtimeAt({ outside, workspace, data }),
      },
    });
  let site = await start();

  async function json(path: string, body?: unknown): Promise<Record<string, unknown>> {
    const response = await site.call(path, body === undefined ? {} : { method: "POST", body });
    const said = (await response.json()) as Record<string, unknown>;
    if (!response.ok) throw new Error(`${path}: ${JSON.stringify(said)}`);
    return said;
  }

  async function resting(session: string): Promise<void> {
    while (/^(queued|running)$/.test(String((await json(`/sessions/${session}`))["status"]))) await sleep(5);
  }

  return {
    site,
    outside,
    workspace,
    data,
    json,
    resting,
    put(path, content) {
      const full = join(workspace, path);
      mkdirSync(dirname(full), { recursive: true });
      writeFileSync(full, content);
      return full;
    },
    async session(settings = {}) {
      return String((await json("/chat/sessions", settings))["session_id"]);
    },
    async turn(session, input) {
      const stream = await openSse(site, `/chat/sessions/${session}/turns`, {
        method: "POST",
        body: { input },
      });
      await stream.ended;
      return framesOf(stream.frames);
    },
    async frames(session) {
      const { head_seq } = await json(`/chat/sessions/${session}`);
      const stream = await openSse(site, `/sessions/${session}/events/stream?tier=debug`);
      await stream.until((all) => all.some(({ id }) => Number(id) >= Number(head_seq)));
      stream.close();
      return framesOf(stream.frames);
    },
    async questions(session) {
      const { rows } = await json(`/approvals?session_id=${session}&state=pending`);
      return rows as readonly QuestionRow[];
    },
    async decide({ request_id, session_id }, decision = "approved") {
      await json(`/approvals/${request_id}/decision`, { decision });
      await resting(session_id);
    },
    async restarted() {
      await site.close();
      site = await start();
      return { json };
    },
    async [Symbol.asyncDispose]() {
      await site.close();
      rmSync(top, { recursive: true, force: true });
    },
  };
}

/** An id without data says that there is nothing for this reader. */
function framesOf(frames: readonly Frame[]): readonly Shown[] {
  return frames.flatMap(({ data }) => (data === null ? [] : [JSON.parse(data) as Shown]));
}
