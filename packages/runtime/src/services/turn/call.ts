import { type RequestedCall, TURN_FAILURES, type TurnFailure } from "@fairlead/contract";
import { type TakenId, freeId, withTaken } from "../../domain/loop/call-ids.ts";
import {
  type FinishReason,
  type Model,
  ModelFault,
  type ModelFaultKind,
  type ModelPart,
  type ModelRequest,
  type TokenUsage,
} from "../../ports/model.ts";
import type { Timers } from "../../ports/timers.ts";
import type { TurnLimits } from "./limits.ts";

export type CallResult =
  | {
      readonly kind: "answer";
      readonly output: string;
      readonly calls: readonly RequestedCall[];
      readonly reason: FinishReason;
      readonly usage: TokenUsage | undefined;
      readonly provider_data: unknown;
    }
  | CallFailure
  /** The caller's signal aborted it. */
  | { readonly kind: "aborted" };

export interface CallFailure {
  readonly kind: "failure";
  readonly code: TurnFailure;
  readonly error: string;
  /** What kind of fault of the provider it was. */
  readonly fault: ModelFaultKind;
  readonly retryAfterMs?: number | undefined;
  /** The provider did not take the request, or never got it: nobody has to pay for it. */
  readonly refused: boolean;
  /** What it cost all the same, where the provider said so. */
  readonly usage?: TokenUsage;
}

export interface CallOptions {
  readonly model: Model;
  readonly request: ModelRequest;
  /** The ids that calls of the session have: a new call gets another. */
  readonly taken: readonly TakenId[];
  readonly signal: AbortSignal;
  readonly timers: Timers;
  readonly limits: Pick<TurnLimits, "idleMs" | "callMs" | "outputChars">;
  /** Told each piece as it comes. Must not throw. */
  readonly heard: (kind: "text" | "thinking", text: string) => void;
}

/** Made once: an error of its own for each call would cost more than the rest of ending it. */
const OVER = new DOMException("The call is over.", "AbortError");

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

  let usage: TokenUsage | undefined;

  async function read(): Promise<CallResult> {
    let output = "";
    let length = 0;
    let provider_data: unknown;
    const calls: RequestedCall[] = [];
    let answers = false;
    let { taken } = options;
    /** Calls count only when the answer that made them ended well. */
    const answered = (reason: FinishReason): CallResult => {
      const whole = reason === "stop" || reason === "tool_calls";
      if (output.trim() === "" && (calls.length === 0 || !whole))
        return failure(calls.length === 0 ? "model_empty" : "model_truncated");
      return { kind: "answer", output, calls: whole ? calls : [], reason, usage, provider_data };
    };
    for (;;) {
      const next = await pull();
      if (next.kind === "aborted") return { kind: "aborted" };
      if (next.kind === "threw") return thrown(next.error, answers);
      if (next.kind === "ended") return failure("model_truncated");
      if (next.kind === "silent") return failure("model_timeout");
      answers = true;
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
        case "tool_call": {
          const { tool_call_id, name, arguments: args } = part;
          length += args.length;
          if (length > limits.outputChars) return failure("output_limit");
          const free = freeId(tool_call_id, taken);
          taken = withTaken(taken, free);
          calls.push({ tool_call_id: free, name, arguments: args });
          break;
        }
        case "usage": {
          const { type: _, ...used } = part;
          usage = used;
          break;
        }
        case "provider_data":
          provider_data = part.data;
          break;
        case "finish":
          return answered(part.reason);
      }
    }
  }

  try {
    const result = await read();
    return result.kind === "failure" && usage !== undefined ? { ...result, usage } : result;
  } finally {
    endCall();
    signal.removeEventListener("abort", onAbort);
    stopModel.abort(OVER);
    // Not awaited: a model that ignores its signal would hold the turn open.
    void (async () => parts?.return?.())().catch(() => {});
  }
}

/** Which of these another try may mend. */
const FAULT_OF: Partial<Record<TurnFailure, ModelFaultKind>> = {
  model_truncated: "unavailable",
  model_timeout: "unavailable",
  model_empty: "unavailable",
  model_invalid: "invalid",
};

function failure(code: TurnFailure, said?: string): CallFailure {
  const fault = FAULT_OF[code] ?? "refused";
  return { kind: "failure", code, error: said ?? TURN_FAILURES[code], fault, refused: false };
}

const CODE_OF: Record<ModelFaultKind, TurnFailure> = {
  rate_limit: "model_limited",
  unavailable: "model_error",
  auth: "model_refused",
  refused: "model_refused",
  too_long: "model_refused",
  invalid: "model_invalid",
};

/** `answers`: something had come of it by then. */
function thrown(error: unknown, answers: boolean): CallFailure {
  const said = messageOf(error);
  if (!(error instanceof ModelFault)) return { ...failure("model_error", said), fault: "unavailable" };
  const { kind: fault, retryAfterMs } = error;
  const refused = !answers && isRefusal(error);
  return { kind: "failure", code: CODE_OF[fault], error: said, fault, retryAfterMs, refused };
}

/** A status is a no to the whole request, and so are these kinds. Of anything else it may have been at work. */
function isRefusal({ kind, status = 0, unsent }: ModelFault): boolean {
  return unsent || status >= 400 || (kind !== "unavailable" && kind !== "invalid");
}

const ERROR_CHARS = 500;

function messageOf(error: unknown): string {
  const text = error instanceof Error ? error.message : String(error);
  return text === "" ? TURN_FAILURES.model_error : text.slice(0, ERROR_CHARS);
}

const REASONS: readonly unknown[] = ["stop", "length", "filter", "tool_calls"] satisfies FinishReason[];

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
    case "tool_call":
      return [part["tool_call_id"], part["name"], part["arguments"]].every((one) => typeof one === "string");
    case "provider_data":
      return true;
    case "finish":
      return REASONS.includes(part["reason"]);
    default:
      return false;
  }
}

function isCount(value: unknown): boolean {
  return Number.isSafeInteger(value) && (value as number) >= 0;
}
