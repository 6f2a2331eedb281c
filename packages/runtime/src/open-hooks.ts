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
    scratch: join(hidden[0] ?? join(tmpdir(), `fairlead-${process.getuid?.() ?? 0}`), "hooks"),
    processes: hostProcesses,
  });
  return { hooks, host, stopwatch: () => performance.now() };
}
