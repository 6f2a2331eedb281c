import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import type { SessionId } from "@fairlead/contract";
import { hostFiles } from "../../src/host/workspace-files.ts";
import type { Tool, ToolArguments, ToolContext } from "../../src/ports/tool.ts";
import type { WorkspaceFiles } from "../../src/ports/workspace-files.ts";

/** A directory with a workspace in it, so that there is an outside to reach for. */
export interface Tree extends Disposable {
  /** Above everything. */
  readonly top: string;
  readonly outside: string;
  readonly workspace: string;
  readonly files: WorkspaceFiles;
  context(signal?: AbortSignal): ToolContext;
  /** A file of the workspace, with its directories. */
  put(path: string, content: string | Uint8Array): string;
}

export function tree(
  guarded: { readonly hidden?: readonly string[]; readonly fixed?: readonly string[] } = {},
  base = tmpdir(),
): Tree {
  // Deep, so that a path that climbs out by mistake still ends in what is thrown away.
  const top = realpathSync(mkdtempSync(join(base, "fairlead-tools-")));
  const outside = join(top, "1/2/3");
  const workspace = join(outside, "workspace");
  mkdirSync(workspace, { recursive: true });
  const at = (paths: readonly string[] = []) => paths.map((path) => join(workspace, path));
  return {
    top,
    outside,
    workspace,
    files: hostFiles({ hidden: at(guarded.hidden), fixed: at(guarded.fixed) }),
    context: (signal = new AbortController().signal) => context(workspace, signal),
    put(path, content) {
      const full = join(workspace, path);
      mkdirSync(dirname(full), { recursive: true });
      writeFileSync(full, content);
      return full;
    },
    [Symbol.dispose]: () => rmSync(top, { recursive: true, force: true }),
  };
}

export function context(workspace: string, signal: AbortSignal = new AbortController().signal): ToolContext {
  return { session_id: "ses_1" as SessionId, turn_id: "turn_1", tool_call_id: "call_1", workspace, signal };
}

/** What a tool returned, or the message it failed with. */
export async function attempt(
  tool: Tool,
  args: ToolArguments,
  where: ToolContext,
): Promise<{ readonly result?: unknown; readonly text?: string; readonly error?: string }> {
  try {
    const { result, text } = await tool.run(args, where);
    return { result, text };
  } catch (error) {
    return { error: (error as Error).message };
  }
}
