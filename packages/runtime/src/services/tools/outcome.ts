import type { GuardedCall } from "../../domain/guard/types.ts";
import { isRecord } from "../../domain/is-record.ts";
import type { Child, Tool } from "../../ports/tool.ts";
import { ToolFailure } from "../../ports/tool-failure.ts";
import { keepAsArtifact } from "./artifact.ts";
import type { ToolLimits } from "./limits.ts";
import { recordable } from "./recordable.ts";
import { toJson } from "./to-json.ts";
import type { ToolOutcome } from "./types.ts";

export type Settled =
  | { readonly how: "returned"; readonly output: unknown }
  | { readonly how: "threw"; readonly error: unknown }
  /** It did not end when it was told to. */
  | { readonly how: "given_up" };

const MOST_CHILDREN = 1_000;
const ENDED_CHARS = 200;

interface Facts {
  readonly settled: Settled;
  readonly why: "timeout" | "cancelled" | undefined;
  readonly tool: Tool;
  readonly call: GuardedCall;
  readonly turn_id: string;
  readonly elapsed_ms: number;
  readonly limits: ToolLimits;
}

export function outcomeOf(facts: Facts): ToolOutcome {
  const { settled, why, tool, turn_id, elapsed_ms, limits } = facts;
  switch (settled.how) {
    case "returned":
      try {
        return returned(facts, settled.output);
      } catch {
        // A getter that throws, a proxy: whatever it is, it is no result.
        return failure("error", `${tool.spec.name} returned something unreadable.`, elapsed_ms);
      }
    case "given_up":
      return failure(
        why ?? "error",
        `${stopped(why, tool)} It did not stop within ${limits.graceMs} ms, and may still be at work.`,
        elapsed_ms,
      );
    case "threw": {
      const { error } = settled;
      const kind = why ?? (error instanceof ToolFailure ? error.kind : "error");
      const children = error instanceof ToolFailure ? error.children : [];
      const text = messageOf(error);
      const said =
        why === undefined ? text : `${stopped(why, tool)}${error instanceof ToolFailure ? ` ${text}` : ""}`;
      const events = error instanceof ToolFailure ? recordable(error.events, turn_id, tool.origin) : [];
      return { ...failure(kind, clipped(said, limits), elapsed_ms, children), events };
    }
  }
}

export function failure(
  kind: "error" | "timeout" | "cancelled",
  error: string,
  elapsed_ms: number,
  children: readonly Child[] = [],
): ToolOutcome {
  const late = kind === "timeout";
  return {
    status: late ? "timeout" : "error",
    outcome_type: late ? "ToolTimeout" : "ToolError",
    elapsed_ms,
    error,
    told: late ? `Timeout: ${error}` : `Error: ${error}`,
    ...(children.length > 0 ? { children } : {}),
    events: [],
  };
}

function returned({ tool, call, turn_id, elapsed_ms, limits }: Facts, output: unknown): ToolOutcome {
  if (!isRecord(output) || !("result" in output))
    return failure("error", `${tool.spec.name} returned no result.`, elapsed_ms);
  const { result, text, failed, events, children } = output;
  const json = toJson(result);
  const isJson = typeof text !== "string";
  const full = isJson ? asText(json) : text;
  const ended = childrenOf(children);
  const recorded = recordable(events, turn_id, tool.origin);
  const common = { elapsed_ms, ...(ended.length > 0 ? { children: ended } : {}) };
  const whole = JSON.stringify(json);
  if (full.length <= limits.toldChars && whole.length <= limits.toldChars * 2) {
    if (failed === true)
      return {
        ...common,
        status: "error",
        outcome_type: "ToolError",
        result: json,
        error: full,
        told: full,
        events: recorded,
      };
    return {
      ...common,
      status: "ok",
      outcome_type: "ToolExecutionResult",
      result: json,
      told: full,
      events: recorded,
    };
  }
  // The longer of the two is the one that says everything.
  const [content, contentIsJson] = isJson || whole.length > full.length * 2 ? [whole, true] : [full, false];
  const kept = keepAsArtifact(
    { tool: tool.spec.name, tool_call_id: call.tool_call_id, turn_id, text: content, isJson: contentIsJson },
    limits,
  );
  const told = full.length <= limits.toldChars ? full : kept.told;
  const outcome = { ...common, result: kept.about, told, events: [...recorded, kept.event] };
  // A failure stays one, however long it is.
  if (failed === true) return { ...outcome, status: "error", outcome_type: "ToolError", error: told };
  return { ...outcome, status: "artifact", outcome_type: "ToolArtifact" };
}

function asText(json: unknown): string {
  return typeof json === "string" ? json : JSON.stringify(json);
}

function childrenOf(children: unknown): readonly Child[] {
  if (!Array.isArray(children)) return [];
  return children
    .slice(0, MOST_CHILDREN)
    .flatMap((child: unknown) =>
      isRecord(child) && Number.isInteger(child["pid"]) && typeof child["ended"] === "string"
        ? [{ pid: child["pid"] as number, ended: child["ended"].slice(0, ENDED_CHARS) }]
        : [],
    );
}

function stopped(why: "timeout" | "cancelled" | undefined, tool: Tool): string {
  if (why === "timeout") return `${tool.spec.name} took longer than ${tool.timeoutMs} ms and was stopped.`;
  return "Cancelled.";
}

function messageOf(error: unknown): string {
  try {
    if (error instanceof Error && error.message !== "") return error.message;
    if (typeof error === "string" && error !== "") return error;
    return `The tool failed without a message (${Object.prototype.toString.call(error)}).`;
  } catch {
    return "The tool failed with an unreadable error.";
  }
}

function clipped(text: string, { toldChars, head, tail }: ToolLimits): string {
  if (text.length <= toldChars) return text;
  return `${text.slice(0, head)}\n… ${text.length - head - tail} characters left out …\n${text.slice(-tail)}`;
}
