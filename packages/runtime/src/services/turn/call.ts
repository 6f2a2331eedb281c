import { TURN_FAILURES, type TurnFailure } from "@fairlead/contract";
import type { Usage } from "../../domain/turn-decide.ts";
import type { FinishReason, Model, ModelPart, ModelRequest } from "../../ports/model.ts";
import type { Timers } from "../../ports/timers.ts";
import type { TurnLimits } from "./limits.ts";

export type CallResult =
  | {
      readonly kind: "answer";
      readonly output: string;
      readonly reason: FinishReason;
      readonly usage: Usage | undefined;
    }
  | { readonly kind: "failure"; readonly code: TurnFailure; readonly error: string }
  /** The caller's signal aborted it. */
  | { readonly kind: "aborted" };

export interface CallOptions {
  readonly model: Model;
  readonly request: ModelRequest;
  readonly signal: AbortSignal;
  readonly timers: Timers;
  readonly limits: Pick<TurnLimits, "idleMs" | "callMs" | "outputChars">;
  /** Told each piece as it comes. Must not throw. */
  readonly heard: (kind: "text" | "thinking", text: string) => void;
}

type Next =
  | { readonly kind: "value"; readonly value: unknown }
  | { readonly kind: "ended" }
  | { readonly kind: "threw"; readonly error: unknown }
  | { readonly kind: "silent" }
  | { readonly kind: "aborted" };

/** One model call. Always settles, whatever the model does, and never rejects. */
export async function callModel(options: CallOptions): Promise<CallResult> {
  const { model, request, signal, timers, limits, heard } = options;
  const stopModel = new AbortController();
  let settle: (next: Next) => void = () => {};
  const onAbort = () => settle({ kind: "aborted" });
  signal.addEventListener("abort", onAbort);
  let outOfTime = false;
  const endCall = timers.after(limits.callMs, () => {
    outOfTime = true;
    settle({ kind: "silent" });
  });
  let parts: AsyncIterator<unknown> | undefined;

  // Not Promise.race: it would keep a reaction on the signal's promise for every part of a long answer.
  function pull(): Promise<Next> {
    return new Promise((resolve) => {
      const calm = timers.after(limits.idleMs, () => settle({ kind: "silent" }));
      settle = (next) => {
        calm();
        resolve(next);
      };
      if (signal.aborted) return settle({ kind: "aborted" });
      if (outOfTime) return settle({ kind: "silent" });
      const own = settle;
      void (async () => {
        parts ??= model.stream(request, stopModel.signal)[Symbol.asyncIterator]();
        return parts.next();
      })().then(
        (result) => own(result.done === true ? { kind: "ended" } : { kind: "value", value: result.value }),
        (error: unknown) => own({ kind: "threw", error }),
      );
    });
  }

  async function read(): Promise<CallResult> {
    let output = "";
    let length = 0;
    let usage: Usage | undefined;
    for (;;) {
      const next = await pull();
      if (next.kind === "aborted") return { kind: "aborted" };
      if (next.kind === "threw") return failure("model_error", messageOf(next.error));
      if (next.kind === "ended") return failure("model_truncated");
      if (next.kind === "silent") return failure("model_timeout");
      const part = next.value;
      if (!isPart(part)) return failure("model_invalid");
      switch (part.type) {
        case "text":
        case "thinking":
          length += part.text.length;
          if (length > limits.outputChars) return failure("output_limit");
          if (part.type === "text") output += part.text;
          if (part.text !== "") heard(part.type, part.text);
          break;
        case "usage":
          usage = { input_tokens: part.input_tokens, output_tokens: part.output_tokens };
          break;
        case "finish":
          if (output.trim() === "") return failure("model_empty");
          return { kind: "answer", output, reason: part.reason, usage };
      }
    }
  }

  try {
    return await read();
  } finally {
    endCall();
    signal.removeEventListener("abort", onAbort);
    stopModel.abort();
    // Not awaited: a model that ignores its signal would hold the turn open.
    void (async () => parts?.return?.())().catch(() => {});
  }
}

function failure(code: TurnFailure, said?: string): CallResult {
  return { kind: "failure", code, error: said ?? TURN_FAILURES[code] };
}

const ERROR_CHARS = 500;

function messageOf(error: unknown): string {
  const text = error instanceof Error ? error.message : String(error);
  return text === "" ? TURN_FAILURES.model_error : text.slice(0, ERROR_CHARS);
}

const REASONS: readonly unknown[] = ["stop", "length", "filter"] satisfies FinishReason[];

/** Models are foreign: a part is what it says only when it also looks like it. */
function isPart(value: unknown): value is ModelPart {
  if (typeof value !== "object" || value === null) return false;
  const part = value as Record<string, unknown>;
  switch (part["type"]) {
    case "text":
    case "thinking":
      return typeof part["text"] === "string";
    case "usage":
      return isCount(part["input_tokens"]) && isCount(part["output_tokens"]);
    case "finish":
      return REASONS.includes(part["reason"]);
    default:
      return false;
  }
}

function isCount(value: unknown): boolean {
  return Number.isSafeInteger(value) && (value as number) >= 0;
}
