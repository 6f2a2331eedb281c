// Rules, guards and supervisors, opened once for runs of our own and for foreign agents.
import { given } from "./domain/given.ts";
import type { AhpError, Transport } from "@fairlead/ahp";
import { workspaceOf } from "./domain/policy/action/places.ts";
import { compilePolicy } from "./domain/policy/compile.ts";
import type { Policy } from "./domain/policy/policy.ts";
import { CIRCUIT_LIMITS } from "./domain/supervision/circuit.ts";
import { budgetSpent, type Guard, ownControls } from "./domain/supervision/guards.ts";
import type { Switches } from "./domain/supervision/switches.ts";
import { ConfigError } from "./host/config-error.ts";
import type { FileConfig, SupervisorEntry } from "./host/config-file.ts";
import { DEFAULT_POLICIES, policyFiles } from "./host/policy-files.ts";
import { realFrom } from "./host/workspace.ts";
import type { Clock } from "./ports/clock.ts";
import type { EventLog } from "./ports/event-log.ts";
import type { Ids } from "./ports/ids.ts";
import type { Timers } from "./ports/timers.ts";
import { type External, guardSupervisor } from "./services/supervision/external.ts";
import type { SupervisionLimits } from "./services/supervision/limits.ts";
import type { Dropped } from "./services/supervision/outbox.ts";
import { createOwnSupervision } from "./services/supervision/own.ts";
import type { OwnSupervision } from "./services/supervision/own-types.ts";
import { policyRules } from "./services/supervision/policy-rules.ts";
import type { Rules } from "./services/supervision/rules.ts";
import { appendToSystem } from "./services/system-stream.ts";
import { ahpSupervisor } from "./supervisors/ahp.ts";

/** What it works with. A runtime has all of it. */
export interface SupervisionParts {
  readonly log: EventLog;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly timers: Timers;
  /** Must not throw. */
  readonly report: (error: unknown) => void;
}

export interface OpenSupervisionOptions {
  readonly config: Pick<FileConfig, "harness" | "supervisors" | "supervise">;
  /** The rules in force at the moment of asking. */
  readonly policy: () => Policy;
  readonly version: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** What agents work in, unless the configuration says another. */
  readonly workspace: string;
  /** The user's home directory: no workspace. */
  readonly home: string;
  /** What agents are supervised with: rule directories, configuration, data, keys. Absolute. */
  readonly controls: readonly string[];
  /** Told when agents cannot be kept in the workspace. */
  readonly warn: (text: string) => void;
}

/** One of each: a circuit and a connection for a supervisor, however many ask. */
export interface OpenedSupervision {
  readonly rules: Rules;
  readonly guards: readonly Guard[];
  /** Those for runs of our own, whose tools are known. */
  readonly ownGuards: readonly Guard[];
  readonly externals: readonly External[];
  /** Where agents work; the root where the one that was given can be no workspace. */
  readonly workspace: string;
  readonly limits: Pick<SupervisionLimits, "budget">;
  readonly switches: Switches;
  close(): Promise<void>;
}

/** Throws ConfigError when a supervisor cannot be reached by what the configuration says. Connects to nobody yet. */
export async function openSupervision(
  { log, clock, timers, report }: SupervisionParts,
  { config, policy, version, env, home, controls, warn, ...options }: OpenSupervisionOptions,
): Promise<OpenedSupervision> {
  const { harness, supervisors, supervise } = config;
  const transports = await Promise.all(supervisors.map((entry) => transportFor(entry, env)));
  const limits =
    harness.circuit === undefined
      ? CIRCUIT_LIMITS
      : { failures: harness.circuit.failures, pauseMs: harness.circuit.pause_ms };
  const dropped = (name: string, lost: Dropped): void => {
    appendToSystem(log, [droppedEvent(name, lost)], []).catch(report);
  };
  const externals = supervisors.map(({ name, on, timeout_ms, on_failure }, i) =>
    guardSupervisor(
      ahpSupervisor({
        name,
        transport: transports[i] as Transport,
        on,
        timeoutMs: timeout_ms,
        onFailure: on_failure,
        version,
      }),
      { clock, timers, limits, dropped },
    ),
  );
  const place = harness.workspace ?? options.workspace;
  const real = realFrom(place, home);
  const isUsable = [place, real(place)].every((path) => isWorkspace(path, real(home)));
  if (!isUsable)
    warn(
      `${place} is no workspace: agents could not be told apart from the system. Every absolute path counts as outside. Start in a project, or set harness.workspace.`,
    );
  const touching = ownControls({ paths: controls, real });
  return {
    rules: policyRules(policy, () => performance.now()),
    guards: [budgetSpent, touching],
    ownGuards: [budgetSpent, forOwnTools(touching)],
    externals,
    // The root can be nobody's workspace.
    workspace: isUsable ? place : "/",
    limits: { budget: given(harness.budget ?? {}) },
    switches: supervise,
    async close() {
      await Promise.all(externals.map((external) => external.close()));
    },
  };
}

/** Tools that keep to the workspace themselves, and away from what agents are supervised with. */
const CONTAINED: ReadonlySet<unknown> = new Set([
  "read_file",
  "write_file",
  "edit_file",
  "list_files",
  "local_search",
  "retrieve",
]);

/** A look at the whole workspace is no look at our data in it: our own tools leave that out. */
function forOwnTools(guard: Guard): Guard {
  return (input) => {
    const { tool_name } = (input.event.payload ?? {}) as { tool_name?: unknown };
    return CONTAINED.has(tool_name) ? undefined : guard(input);
  };
}

/** Supervision of runs of our own by what was opened. */
export function ownSupervisionFor(
  { rules, ownGuards: guards, externals, limits, switches }: OpenedSupervision,
  { log, clock, ids, report }: SupervisionParts,
): OwnSupervision {
  return createOwnSupervision({
    rules,
    guards,
    externals,
    limits,
    switches,
    clock,
    ids,
    tellSystem: (events) => void appendToSystem(log, events, []).catch(report),
  });
}

/** Without a configuration: the rules that come along, and nobody outside. */
export async function defaultSupervision(
  parts: SupervisionParts,
  options: Pick<OpenSupervisionOptions, "workspace" | "home" | "controls" | "warn">,
): Promise<OpenedSupervision> {
  const policy = await (defaultPolicy ??= readDefaultPolicy());
  return openSupervision(parts, {
    ...options,
    config: NO_CONFIG,
    policy: () => policy,
    version: "",
    env: {},
  });
}

const NO_CONFIG: OpenSupervisionOptions["config"] = {
  harness: { agent: "local", timeout_ms: 10_000 },
  supervisors: [],
  supervise: { on: {}, unsupervised: [] },
};

/** Compiled once in a process: they do not change while it lives. */
let defaultPolicy: Promise<Policy> | undefined;

async function readDefaultPolicy(): Promise<Policy> {
  const compiled = compilePolicy(await policyFiles({ directories: [DEFAULT_POLICIES] }).read());
  if (compiled.ok) return compiled.policy;
  throw new Error(`The rules that come along do not compile: ${compiled.errors[0]?.message}`);
}

function droppedEvent(name: string, { count, reason }: Dropped) {
  return {
    type: "runtime.transport.diagnostic",
    data: {
      kind: "supervisor_notices",
      status: "dropped",
      reason: reason.slice(0, 500),
      provider_requested: name,
      failure_count: count,
    },
  } as const;
}

/** Whether agents can be kept in this directory: not in the root, a home directory or one of the system's. */
function isWorkspace(directory: string, home: string): boolean {
  return directory !== home && workspaceOf(directory).root !== ".";
}

/** Transports are loaded only where a supervisor needs one. */
async function transportFor(
  { name, url, command, token_env, api_key_env }: SupervisorEntry,
  env: OpenSupervisionOptions["env"],
): Promise<Transport> {
  if (command !== undefined) {
    const { stdio } = await import("@fairlead/ahp/stdio");
    const [program = "", ...args] = command;
    return stdio({ command: program, args });
  }
  const secret = (variable: string): string => {
    const value = env[variable];
    if (value) return value;
    throw new ConfigError(
      `The supervisor ${name} needs ${variable}, which is not set.`,
      "Set it, or remove it from the configuration.",
    );
  };
  const token = token_env === undefined ? undefined : secret(token_env);
  const apiKey = api_key_env === undefined ? undefined : secret(api_key_env);
  const auth = token !== undefined ? { token } : apiKey !== undefined ? { apiKey } : undefined;
  const { transportOf } = await import("@fairlead/ahp/url");
  try {
    return transportOf(url ?? "", auth === undefined ? {} : { auth });
  } catch (error) {
    throw new ConfigError(`The supervisor ${name}: ${(error as AhpError).message}`, "Mend its `url`.", {
      cause: error,
    });
  }
}
