import type { ToolOutcomeStatus } from "../events/tool.ts";
import type { FrontendFrame } from "../frames.ts";

/** What one call makes of a file. */
export interface FileChange {
  readonly path: string;
  readonly callId: string;
  readonly tool: string;
  /** What it was called with, to be shown as a change. */
  readonly before: string | null;
  readonly after: string | null;
  /** What a person was shown before it, where one was asked. */
  readonly diff: string | null;
  readonly seq: number;
  readonly at: string;
}

/** A file that was changed, and all that was done to it, in order. */
export interface FileChanges {
  readonly path: string;
  readonly changes: readonly FileChange[];
}

const text = (value: unknown): string | null => (typeof value === "string" ? value : null);

type Args = Readonly<Record<string, unknown>>;
const pick = (args: Args, ...names: readonly string[]): string | null =>
  names.map((name) => text(args[name])).find((value) => value !== null) ?? null;

const written = (args: Args) => ({ before: null, after: pick(args, "content") });
const edited = (args: Args) => ({
  before: pick(args, "old_text", "old_string"),
  after: pick(args, "new_text", "new_string"),
});

/** Tools that change a file: ours, and those of other agents. */
const TOOLS: Readonly<Record<string, typeof written | typeof edited>> = {
  write_file: written,
  edit_file: edited,
  Write: written,
  Edit: edited,
};

/** The change that a call of a file tool makes; undefined for any other call. */
export function fileChange(
  call: { readonly name: string; readonly arguments: unknown; readonly tool_call_id: string },
  { seq, at }: FrontendFrame,
  diff: string | null,
): FileChange | undefined {
  const args = (call.arguments ?? {}) as Args;
  const path = pick(args, "path", "file_path");
  const change = Object.hasOwn(TOOLS, call.name) ? TOOLS[call.name] : undefined;
  if (path === null || change === undefined) return undefined;
  return { path, callId: call.tool_call_id, tool: call.name, ...change(args), diff, seq, at };
}

/** Whether a call did what it was called for. A no, an error and a lost one changed nothing that is known. */
export function isDone(status: ToolOutcomeStatus): boolean {
  return status === "ok" || status === "artifact";
}

/** With one more change, the file that it is of first. */
export function withChange(
  files: readonly FileChanges[],
  change: FileChange,
  most: number,
): readonly FileChanges[] {
  const known = files.find(({ path }) => path === change.path)?.changes ?? [];
  const file = { path: change.path, changes: [...known, change].slice(-most) };
  return [file, ...files.filter(({ path }) => path !== change.path)].slice(0, most);
}

/** The change that a question shows. */
export function shownDiff(shown: unknown): string | null {
  return typeof shown === "object" && shown !== null ? text((shown as { diff?: unknown }).diff) : null;
}
