import type { FrontendFrame } from "../frames.ts";

/** A file that a call was allowed to change. */
export interface FileChange {
  readonly path: string;
  readonly callId: string;
  readonly tool: string;
  /** How the call ended; null while it has not. */
  readonly status: string | null;
  /** What it was called with, to be shown as a change. */
  readonly before: string | null;
  readonly after: string | null;
  /** What a person was shown before it, where one was asked. */
  readonly diff: string | null;
  readonly seq: number;
  readonly at: string;
}

const text = (value: unknown): string | null => (typeof value === "string" ? value : null);

/** The change that a call of a file tool makes; undefined for any other call. */
export function fileChange(
  call: { readonly name: string; readonly arguments: unknown; readonly tool_call_id: string },
  { seq, at }: FrontendFrame,
  diff: string | null,
): FileChange | undefined {
  const args = (call.arguments ?? {}) as Readonly<Record<string, unknown>>;
  const path = text(args["path"]);
  if (path === null) return undefined;
  const common = { path, callId: call.tool_call_id, tool: call.name, status: null, diff, seq, at };
  if (call.name === "write_file") return { ...common, before: null, after: text(args["content"]) };
  if (call.name !== "edit_file") return undefined;
  const pick = (...names: readonly string[]): string | null =>
    names.map((name) => text(args[name])).find((value) => value !== null) ?? null;
  return { ...common, before: pick("old_text", "old_string"), after: pick("new_text", "new_string") };
}

/** The change that a question shows. */
export function shownDiff(shown: unknown): string | null {
  return typeof shown === "object" && shown !== null ? text((shown as { diff?: unknown }).diff) : null;
}
