import type { NewEvent } from "@fairlead/contract";
import type { ToolLimits } from "./limits.ts";

/** A result that is too long to tell: what is kept of it, and what is told instead. */
export interface Kept {
  /** What the outcome has in place of the result. */
  readonly about: Readonly<Record<string, unknown>>;
  readonly event: NewEvent<"runtime.artifact.created">;
  readonly told: string;
}

interface Of {
  readonly tool: string;
  readonly tool_call_id: string;
  readonly turn_id: string;
  readonly text: string;
  readonly isJson: boolean;
}

/**
 * The log moves the content to a blob by itself, and takes secrets out of it before: so no hash is given here, and sizes
 * are those of what the tool gave. The id follows from the call, so that a second try names the same.
 */
export function keepAsArtifact({ tool, tool_call_id, turn_id, text, isJson }: Of, limits: ToolLimits): Kept {
  const id = `art_${tool_call_id}`;
  const content = fitting(text, limits.keptChars);
  const isCut = content.length < text.length;
  const cut = isCut ? { cut: true, kept_chars: content.length } : {};
  const kept = isCut ? `, of which the first ${content.length} are kept` : "";
  const artifact = {
    id,
    kind: "tool_result",
    // Half of a JSON text is none.
    mime_type: isJson && !isCut ? "application/json" : "text/plain",
    summary: `Result of ${tool}, ${text.length} characters${kept}.`,
    tool_name: tool,
    tool_call_id,
    ...cut,
    content,
  };
  return {
    about: { artifact_id: id, size_chars: text.length, ...cut },
    event: { type: "runtime.artifact.created", data: { artifact }, turn_id },
    told: preview(text, content.length, id, limits),
  };
}

/** As much of the beginning as takes so many characters of JSON. */
function fitting(text: string, most: number): string {
  let part = text.slice(0, most);
  for (;;) {
    const { length } = JSON.stringify(part);
    if (length <= most + 2) return part.length === text.length ? part : whole(part, "end");
    part = part.slice(0, Math.min(part.length - 1, Math.floor((part.length * most) / length)));
  }
}

/** The beginning and the end, and how to see the rest. */
function preview(text: string, keptChars: number, id: string, { head, tail }: ToolLimits): string {
  const what = keptChars < text.length ? `Its first ${keptChars} characters are` : "The whole is";
  const first = whole(text.slice(0, head), "end");
  const last = whole(text.slice(-tail), "start");
  return `${first}\n\n[… ${text.length - first.length - last.length} of ${text.length} characters are left out here. ${what} kept as artifact ${id} for people to see. To see more of it yourself, ask for a smaller part: another window, a narrower search, or the command with its output filtered. …]\n\n${last}`;
}

/** Cuts no surrogate pair in half. */
function whole(text: string, side: "start" | "end"): string {
  const code = text.charCodeAt(side === "end" ? text.length - 1 : 0);
  if (side === "end") return code >= 0xd800 && code <= 0xdbff ? text.slice(0, -1) : text;
  return code >= 0xdc00 && code <= 0xdfff ? text.slice(1) : text;
}
