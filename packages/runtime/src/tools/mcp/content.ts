import type { NewEvent } from "@fairlead/contract";
import type { ToolContext, ToolOutput } from "../../ports/tool.ts";
import type { CallToolResult } from "./types.ts";

type Part = CallToolResult["content"][number];
type Where = Pick<ToolContext, "turn_id" | "tool_call_id">;

interface Shown {
  /** What is recorded. */
  readonly part: Readonly<Record<string, unknown>>;
  readonly text: string;
  readonly event?: NewEvent<"runtime.artifact.created">;
}

/** A larger picture is not kept: a server could fill the disk. */
const LARGEST = 8 * 1024 * 1024;
const MOST_PARTS = 200;

/** What a server answered. Texts are told, structures recorded, and what is binary becomes an artifact. */
export function outputOf({ content, structuredContent, isError }: CallToolResult, where: Where): ToolOutput {
  const shown = content.slice(0, MOST_PARTS).map((part, i) => show(part, i, where));
  const left = content.length - shown.length;
  const texts = shown.map(({ text }) => text).filter((text) => text !== "");
  if (left > 0) texts.push(`(${left} more parts were left out.)`);
  if (texts.length === 0 && structuredContent !== undefined) texts.push(JSON.stringify(structuredContent));
  return {
    result: {
      content: shown.map(({ part }) => part),
      ...(structuredContent === undefined ? {} : { structured: structuredContent }),
    },
    text: texts.length === 0 ? "(No content.)" : texts.join("\n\n"),
    failed: isError === true,
    events: shown.flatMap(({ event }) => (event === undefined ? [] : [event])),
  };
}

function show(part: Part, index: number, where: Where): Shown {
  switch (part.type) {
    case "text":
      return { part: { type: "text", text: part.text }, text: part.text };
    case "image":
    case "audio":
      return binary(part.type, part.mimeType, part.data, index, where);
    case "resource_link": {
      const { uri, name } = part;
      return { part: { type: part.type, uri, name }, text: `(A link to ${name}: ${uri})` };
    }
    case "resource": {
      const { resource } = part;
      const { uri, mimeType = "application/octet-stream" } = resource;
      if ("text" in resource)
        return { part: { type: part.type, uri, text: resource.text }, text: `${uri}:\n${resource.text}` };
      return binary("resource", mimeType, resource.blob, index, where, uri);
    }
  }
}

function binary(
  type: string,
  mime: string,
  base64: string,
  index: number,
  where: Where,
  uri?: string,
): Shown {
  const bytes = Buffer.from(base64, "base64");
  const about = { type, mime_type: mime, size_bytes: bytes.length, ...(uri === undefined ? {} : { uri }) };
  if (bytes.length > LARGEST)
    return { part: about, text: `(${mime} of ${bytes.length} bytes, too large to be kept.)` };
  const id = `art_${where.tool_call_id}_${index}`;
  const artifact = {
    id,
    kind: "tool_content",
    mime_type: mime,
    size_bytes: bytes.length,
    summary: `${type} of ${bytes.length} bytes.`,
    tool_call_id: where.tool_call_id,
    encoding: "base64",
    content: base64,
  };
  return {
    part: { ...about, artifact_id: id },
    text: `(${mime} of ${bytes.length} bytes, kept as artifact ${id}.)`,
    event: { type: "runtime.artifact.created", data: { artifact }, turn_id: where.turn_id },
  };
}
