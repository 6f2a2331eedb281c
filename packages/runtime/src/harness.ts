// The Agent Harness Protocol for foreign agents, put together over a runtime. Apart from the root, because few need it.
import type { AhpError, Transport } from "@fairlead/ahp";
import { stdio } from "@fairlead/ahp/stdio";
import { transportOf } from "@fairlead/ahp/url";
import type { Runtime } from "./create-runtime.ts";
import { workspaceOf } from "./domain/policy/action/places.ts";
import type { Policy } from "./domain/policy/policy.ts";
import { createHarness, type Harness } from "./harness/create-harness.ts";
import { ConfigError } from "./host/config-error.ts";
import type { FileConfig, SupervisorEntry } from "./host/config-file.ts";
import { realFrom } from "./host/workspace.ts";
import { guardSupervisor } from "./services/supervision/external.ts";
import { policyRules } from "./services/supervision/policy-rules.ts";
import { ahpSupervisor } from "./supervisors/ahp.ts";

export type { Harness } from "./harness/create-harness.ts";
export { bridge } from "./harness/bridge.ts";
export type { Listening, ListenOptions, Mounted } from "./harness/listen.ts";
export { listen, mount, serveParent } from "./harness/listen.ts";
export { openRuleFiles } from "./harness/rule-files.ts";
export type { FileConfig, LoadedConfig } from "./host/config-file.ts";
export { CONFIG_FILE, loadConfig, parseAddress } from "./host/config-file.ts";

export interface OpenHarnessOptions {
  readonly runtime: Runtime;
  readonly config: FileConfig;
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
  /** Must not throw. */
  readonly report: (error: unknown) => void;
}

/** Throws ConfigError when a supervisor cannot be reached by what the configuration says. */
export function openHarness({
  runtime,
  config,
  policy,
  version,
  env,
  workspace,
  home,
  controls,
  warn,
  report,
}: OpenHarnessOptions): Harness {
  const { log, services, clock, ids, timers } = runtime;
  const { harness, supervisors } = config;
  const { failures, pause_ms } = harness.circuit ?? { failures: 5, pause_ms: 10_000 };
  const guard = { clock, timers, limits: { failures, pauseMs: pause_ms } };
  const externals = supervisors.map((entry) =>
    guardSupervisor(
      ahpSupervisor({
        name: entry.name,
        transport: transportFor(entry, env),
        on: entry.on,
        timeoutMs: entry.timeout_ms,
        onFailure: entry.on_failure,
        version,
      }),
      guard,
    ),
  );
  const rules = policyRules(policy, () => performance.now());
  const place = harness.workspace ?? workspace;
  const real = realFrom(place, home);
  const isUsable = [place, real(place)].every((path) => isWorkspace(path, real(home)));
  if (!isUsable)
    warn(
      `${place} is no workspace: agents could not be told apart from the system. Every absolute path counts as outside. Start in a project, or set harness.workspace.`,
    );
  return createHarness(
    { log, services, clock, ids, timers, rules, externals, report },
    {
      version,
      timeoutMs: harness.timeout_ms,
      // The root can be nobody's workspace.
      workspace: isUsable ? place : "/",
      controls: { paths: controls, real },
      limits: {
        ...(harness.hold_ms === undefined ? {} : { answerMs: harness.hold_ms }),
        ...(harness.retry_after_ms === undefined ? {} : { retryAfterMs: harness.retry_after_ms }),
        ...(harness.approval_expires_ms === undefined ? {} : { expireMs: harness.approval_expires_ms }),
        ...(harness.limits === undefined
          ? {}
          : {
              maxInFlight: harness.limits.in_flight,
              maxHeld: harness.limits.held,
              maxOpen: harness.limits.open_approvals,
            }),
        budget: given(harness.budget ?? {}),
      },
      heartbeat: given({ missed: harness.heartbeat?.missed, assumedMs: harness.heartbeat?.interval_ms }),
    },
  );
}

/** Whether agents can be kept in this directory: not in the root, a home directory or one of the system's. */
function isWorkspace(directory: string, home: string): boolean {
  return directory !== home && workspaceOf(directory).root !== ".";
}

function transportFor(entry: SupervisorEntry, env: OpenHarnessOptions["env"]): Transport {
  const { name, url, command, token_env, api_key_env } = entry;
  if (command !== undefined) {
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
  try {
    return transportOf(url ?? "", auth === undefined ? {} : { auth });
  } catch (error) {
    throw new ConfigError(`The supervisor ${name}: ${(error as AhpError).message}`, "Mend its `url`.", {
      cause: error,
    });
  }
}

/** Without what is undefined. */
function given<T extends object>(values: T): { [K in keyof T]?: Exclude<T[K], undefined> } {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined)) as never;
}
