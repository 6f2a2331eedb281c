import { join } from "node:path";
import { type AhpEvent, createServer, type Handlers } from "@fairlead/ahp";
import { serveUnix } from "@fairlead/ahp/unix";
import type { AnyEvent, EventData, EventType, QuestionRow, SessionId } from "@fairlead/contract";
import { onTestFinished } from "vitest";
import { createRuntime, type Runtime, type RuntimeOptions } from "../../src/create-runtime.ts";
import { loadConfig, type SupervisorEntry } from "../../src/host/config-file.ts";
import { openSupervision } from "../../src/open-supervision.ts";
import type { Model } from "../../src/ports/model.ts";
import { policyOf } from "../policy/support.ts";
import { tempDir } from "../supervision/support.ts";
import { everything } from "../support/world.ts";
import { ADA } from "./support.ts";

export interface Outside {
  readonly supervisor: Partial<SupervisorEntry>;
  readonly model: Model;
  readonly rules?: string;
  readonly budget?: { readonly actions?: number; readonly tokens?: number };
  readonly runtime?: Partial<RuntimeOptions>;
}

/** A real harness on a real socket that keeps what it is told. */
export async function listening(handlers: Handlers) {
  const url = `unix:${join(tempDir(), "outside.sock")}`;
  const told: AhpEvent[] = [];
  const server = await serveUnix(createServer({ ...handlers, notify: (event) => void told.push(event) }), {
    path: url.slice("unix:".length),
  });
  onTestFinished(() => server.close());
  return { url, told };
}

/** The runtime as it is put together for users, with one supervisor outside. */
export async function runtimeUnder({ supervisor, model, rules = "rules: []", budget, runtime }: Outside) {
  const workspace = tempDir();
  const config = loadConfig({ cwd: workspace });
  const entry = {
    name: "outside",
    on: ["pre_action" as const],
    timeout_ms: 2_000,
    on_failure: "block" as const,
  };
  const made: Runtime = await createRuntime({
    store: "memory",
    env: {},
    models: [model],
    workspace,
    limits: { callTries: 1 },
    supervise: (parts) =>
      openSupervision(parts, {
        config: {
          ...config,
          supervisors: [{ ...entry, ...supervisor }],
          harness: { ...config.harness, ...(budget === undefined ? {} : { budget }) },
        },
        policy: () => policyOf(rules),
        version: "1",
        env: {},
        workspace,
        home: "/home/nobody",
        controls: [],
        warn: () => {},
      }),
    ...runtime,
  });
  onTestFinished(() => made.stop());
  await made.start();
  return turnIn(made);
}

/** Starts a turn and waits until it ends or is parked. */
async function turnIn({ services, log }: Runtime) {
  const session: SessionId = (await services.sessions.create(ADA, {})).session_id;
  const events = (): Promise<readonly AnyEvent[]> => everything(log, session);
  const data = async <T extends EventType>(type: T) =>
    (await events()).filter((event) => event.type === type).map((event) => event.data as EventData<T>);
  async function ends(count: number) {
    for (;;) {
      const found = await data("runtime.turn.ended");
      if (found.length >= count) return found[count - 1] as EventData<"runtime.turn.ended">;
      await new Promise((resolve) => void setTimeout(resolve, 5));
    }
  }
  await services.turns.start(ADA, session, { input: "Go on" });
  return {
    session,
    events,
    data,
    /** The nth end or parking of a turn. */
    ends,
    decide: async (decision: Parameters<typeof services.questions.decide>[2]): Promise<QuestionRow> => {
      const { rows } = await services.questions.list(ADA, { state: "pending", session_id: session });
      return services.questions.decide(ADA, rows[0]?.request_id ?? "", decision);
    },
    decisions: async (subject: string) =>
      (await data("runtime.policy.decision")).filter((one) => one.subject === subject),
  };
}
