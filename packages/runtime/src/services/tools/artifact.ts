import { createHash } from "node:crypto";
import type { NewEvent } from "@fairlead/contract";
import type { ToolLimits } from "./limits.ts";

/** A result that is too long to tell: what is kept of it, and what is told instead. */
export interface Kept {
  readonly artifact_id: string;
  readonly bytes: number;
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

/** The log moves the content to a blob by itself. The id follows from the call, so that a second try names the same. */
export function keepAsArtifact({ tool, tool_call_id, turn_id, text, isJson }: Of, limits: ToolLimits): Kept {
  const id = `art_${tool_call_id}`;
  const bytes = Buffer.byteLength(text);
  const artifact = {
    id,
    kind: "tool_result",
    mime_type: isJson ? "application/json" : "text/plain",
    sha256: createHash("sha256").update(text).digest("hex"),
    size_bytes: bytes,
    summary: `Result of ${tool}, ${bytes} bytes.`,
    tool_name: tool,
    tool_call_id,
    content: text,
  };
  return {
    artifact_id: id,
    bytes,
    event: { type: "runtime.artifact.created", data: { artifact }, turn_id },
    told: preview(text, id, limits),
  };
}

/** The beginning and the end, and how to see the rest. */
function preview(text: string, id: string, { head, tail }: ToolLimits): string {
  const first = whole(text.slice(0, head), "end");
  const last = whole(text.slice(-tail), "start");
  return `${first}\n\n[… ${text.length - first.length - last.length} of ${text.length} characters are left out here. The whole is kept as artifact ${id} for people to see. To see more of it yourself, ask for a smaller part: another window, a narrower search, or the command with its output filtered. …]\n\n${last}`;
}

/** Cuts no surrogate pair in half. */
function whole(text: string, side: "start" | "end"): string {
  const code = text.charCodeAt(side === "end" ? text.length - 1 : 0);
  if (side === "end") return code >= 0xd800 && code <= 0xdbff ? text.slice(0, -1) : text;
  return code >= 0xdc00 && code <= 0xdfff ? text.slice(1) : text;
}
