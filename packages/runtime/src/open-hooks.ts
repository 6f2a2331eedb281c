import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { hookHost } from "./host/hooks/hook-host.ts";
import { hostProcesses } from "./host/processes.ts";
import { shellEnv } from "./host/shell-env.ts";
import type { HookDefinition } from "./ports/hook.ts";
import type { ServicesDeps } from "./services/create-services.ts";

export interface OpenHooksOptions {
  readonly hooks: readonly HookDefinition[];
  /** What their paths are relative to: where the configuration lies. */
  readonly base: string;
  readonly workspace: string;
  /** What no tool reads or writes: data and keys. Hooks are run from there. */
  readonly hidden: readonly string[];
  readonly env: Readonly<Record<string, string | undefined>>;
}

/** The hooks of this installation. Reads and runs nothing yet. */
export function openHooks(options: OpenHooksOptions): NonNullable<ServicesDeps["hooks"]> {
  const { hooks, base, workspace, hidden } = options;
  const host = hookHost({
    base,
    workspace,
    env: shellEnv(options.env),
    // A name in a place for all that others could have taken before would be theirs.
    scratch: join(hidden[0] ?? mkdtempSync(join(tmpdir(), "fairlead-")), "hooks"),
    processes: hostProcesses,
  });
  return { hooks, host, stopwatch: () => performance.now() };
}
