import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type AhpClient, type ClientOptions, connect, type Transport } from "@fairlead/ahp";
import type { AnyEvent, QuestionRow, SessionRow } from "@fairlead/contract";
import { expect, onTestFinished } from "vitest";
import type { Runtime, StoreChoice } from "../../src/create-runtime.ts";
import { SYSTEM_ACTOR } from "../../src/domain/actor.ts";
import { compilePolicy } from "../../src/domain/policy/compile.ts";
import { CIRCUIT_LIMITS, type CircuitLimits } from "../../src/domain/supervision/circuit.ts";
import type { Guard } from "../../src/domain/supervision/guards.ts";
import { createHarness, type Harness, type HarnessOptions } from "../../src/harness/create-harness.ts";
import { mount } from "../../src/harness/listen.ts";
import { systemClock } from "../../src/host/clock.ts";
import { systemTimers } from "../../src/host/timers.ts";
import type { Supervisor } from "../../src/ports/supervisor.ts";
import { guardSupervisor } from "../../src/services/supervision/external.ts";
import { policyRules } from "../../src/services/supervision/policy-rules.ts";
import type { Rules } from "../../src/services/supervision/rules.ts";
import { type Site, type SiteOptions, startSite } from "../server/support.ts";
import { everything } from "../support/world.ts";

/** Blocks rm, asks a person about pushes, changes installs, slows builds down; everything else may pass. */
export const RULES = `
rules:
  - id: no-rm
    on: [pre_action]
    when: event.payload.tool_name == "rm"
    decide: block
    reason: Nothing is deleted here.
  - id: ask-push
    on: [pre_action]
    when: event.payload.tool_name == "push"
    decide: escalate
    reason: Pushes need a person.
  - id: dry-install
    on: [pre_action]
    when: event.payload.tool_name == "install"
    decide: modify
    patch: { arguments: { dry_run: true } }
  - id: later-build
    on: [pre_action]
    when: event.payload.tool_name == "build"
    decide: defer
    retry_after_ms: 1234
`;

export function rulesOf(text: string): Rules {
  const compiled = compilePolicy([{ path: "policies/test.yaml", text }]);
  if (!compiled.ok) throw new Error(JSON.stringify(compiled.errors));
  return policyRules(
    () => compiled.policy,
    () => performance.now(),
  );
}

export interface Stand {
  readonly site: Site;
  readonly runtime: Runtime;
  readonly harness: Harness;
  /** A client that has greeted; closed with the test. */
  agent(transport: Transport, options?: Partial<ClientOptions>): Promise<AhpClient>;
  /** The session that an agent's own name for it stands for. */
  session(agentSession: string): Promise<SessionRow>;
  events(agentSession: string): Promise<readonly AnyEvent[]>;
  /** The one pending question, once there is one. */
  pending(): Promise<QuestionRow>;
  /** Over HTTP, as an operator. */
  decide(question: QuestionRow, body: Record<string, unknown>): Promise<void>;
  close(): Promise<void>;
}

export interface StandOptions {
  readonly rules?: string | Rules;
  readonly supervisors?: readonly Supervisor[];
  readonly circuit?: CircuitLimits;
  readonly store?: StoreChoice;
  readonly config?: SiteOptions["config"];
  readonly harness?: Partial<HarnessOptions>;
  readonly guards?: readonly Guard[];
}

/** A server and a harness over one log, with real time and real sockets. */
export async function stand(options: StandOptions = {}): Promise<Stand> {
  const timing = { clock: systemClock, timers: systemTimers };
  const limits = options.circuit ?? CIRCUIT_LIMITS;
  let harness: Harness | undefined;
  const externals = (options.supervisors ?? []).map((one) => guardSupervisor(one, { ...timing, limits }));
  const make = (runtime: Runtime): Harness =>
    createHarness(
      {
        ...runtime,
        ...timing,
        rules: typeof options.rules === "object" ? options.rules : rulesOf(options.rules ?? RULES),
        externals,
        ...(options.guards === undefined ? {} : { guards: options.guards }),
        report: (error) => {
          throw error;
        },
      },
      { version: "0.0.0-test", ...options.harness },
    );
  const site = await startSite({
    store: options.store ?? "memory",
    ...(options.config === undefined ? {} : { config: options.config }),
    harness: (runtime) => mount((harness = make(runtime))),
  });
  const { runtime } = site;
  const served = harness as unknown as Harness;
  let closing: Promise<void> | undefined;
  const shutDown = async (): Promise<void> => {
    await served.stop();
    for (const external of externals) await external.close();
    await site.close();
  };
  const close = () => (closing ??= shutDown());
  onTestFinished(close);

  async function session(agentSession: string): Promise<SessionRow> {
    const { rows } = await runtime.services.sessions.list(SYSTEM_ACTOR, { kind: "supervised" });
    const found = rows.filter(({ aliases }) => aliases?.includes(agentSession));
    expect(found).toHaveLength(1);
    return found[0] as SessionRow;
  }

  return {
    site,
    runtime,
    harness: served,
    async agent(transport, given = {}) {
      const client = await connect(transport, { sessionId: "s1", agentId: "a1", ...given });
      onTestFinished(() => client.close());
      return client;
    },
    session,
    events: async (agentSession) => everything(runtime.log, (await session(agentSession)).session_id),
    async pending() {
      for (;;) {
        const { rows } = await runtime.services.questions.list(SYSTEM_ACTOR, { state: "pending" });
        if (rows[0] !== undefined) return rows[0];
        await new Promise((resolve) => setTimeout(resolve, 5));
      }
    },
    async decide({ request_id }, body) {
      const answer = await site.call(`/approvals/${request_id}/decision`, {
        as: "operator",
        method: "POST",
        body,
      });
      expect(answer.status, await answer.clone().text()).toBe(200);
    },
    close,
  };
}

export function tempDir(): string {
  const dir = mkdtempSync(join(tmpdir(), "fairlead-harness-"));
  onTestFinished(() => rmSync(dir, { recursive: true, force: true }));
  return dir;
}

export const action = (tool_name: string, args: Record<string, unknown> = {}) => ({
  tool_name,
  arguments: args,
});

/** The data of the events of one type. */
export function dataOf(events: readonly AnyEvent[], type: string): Record<string, unknown>[] {
  return events.filter((event) => event.type === type).map((event) => event.data as Record<string, unknown>);
}
