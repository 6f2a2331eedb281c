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
  /** Where this installation keeps its keys: hooks are run from there. Without it, from where temporary files are. */
  readonly keys: string | undefined;
  readonly env: Readonly<Record<string, string | undefined>>;
}

/** The hooks of this installation. Reads and runs nothing yet. */
export function openHooks(options: OpenHooksOptions): NonNullable<ServicesDeps["hooks"]> {
  const { hooks, base, workspace, keys } = options;
  const host = hookHost({
    base,
    workspace,
    env: shellEnv(options.env),
    // No tool reads or writes there, and it is never in the workspace: nothing that lies in that is found from a copy.
    // A name among temporary files that others could have taken before would be theirs.
    scratch: () => join(keys ?? mkdtempSync(join(tmpdir(), "fairlead-")), "hooks"),
    processes: hostProcesses,
  });
  return { hooks, host, stopwatch: () => performance.now() };
}
