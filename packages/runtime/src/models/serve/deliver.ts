import type { FinishReason, TokenUsage } from "../../ports/model.ts";
import { faultOf, type Play, words } from "../play.ts";
import type { Step } from "../script.ts";
import { realSleep, untilAborted } from "../sleep.ts";
import type { Dialect, Encoder } from "./dialect.ts";
import type { Outlet } from "./outlet.ts";

type Spoken = Extract<Step, { say: string } | { think: string }>;

/** Frames of texts that are the same in every answer, by the encoder they were made with. */
export type Kept = WeakMap<Step, Map<string, string>>;

export interface Delivery {
  readonly play: Play;
  readonly wordMs: number;
  readonly dialect: Dialect;
  readonly encoder: Encoder;
  readonly outlet: Outlet;
  readonly kept: Kept;
}

/** Plays an answer over a connection, faults included. Without a delay it goes out in one piece. */
export async function deliver({ play, wordMs, dialect, encoder, outlet, kept }: Delivery): Promise<void> {
  let said = 0;
  let usage: TokenUsage | undefined;
  let reason: FinishReason = "stop";
  let started = false;

  /** A function, because some encoders count: what comes first must be made first. */
  function send(frames: () => string): void {
    if (!started) outlet.write(encoder.start());
    started = true;
    outlet.write(frames());
  }

  for (const step of play.steps) {
    if (outlet.gone.aborted) return;
    if ("say" in step || "think" in step) said += await speak(step);
    else if ("call" in step) {
      const call = play.call(step);
      send(() => encoder.call(call, step.half === true));
      if (step.half) return outlet.end();
      said += call.arguments.length;
      reason = "tool_calls";
    } else if ("wait_ms" in step) {
      outlet.flush();
      await realSleep(step.wait_ms, outlet.gone);
    } else if ("fail" in step) return fail(step);
    else if ("hang" in step) {
      outlet.flush();
      await untilAborted(outlet.gone);
    } else if ("cut" in step) return outlet.cut();
    else if ("garbage" in step) send(() => encoder.garbage(step.garbage));
    else if ("usage" in step) usage = step.usage as TokenUsage;
    else reason = step.finish;
  }
  if (outlet.gone.aborted) return;
  send(() => encoder.end(reason, usage ?? play.usage(said)));
  outlet.end();

  /** Resolves to the number of characters. */
  async function speak(step: Spoken): Promise<number> {
    const text = play.text("say" in step ? step.say : step.think);
    const encode = (all: readonly string[]): string =>
      "say" in step ? encoder.text(all) : encoder.thinking(all);
    if (wordMs === 0) {
      const same = encoder.stable !== undefined && !("say" in step ? step.say : step.think).includes("{{");
      const frames = (): string => encode(words(text));
      send(same ? () => remembered(step, frames) : frames);
      return text.length;
    }
    for (const word of words(text)) {
      send(() => encode([word]));
      outlet.flush();
      await realSleep(wordMs, outlet.gone);
      if (outlet.gone.aborted) break;
    }
    return text.length;
  }

  function remembered(step: Spoken, make: () => string): string {
    const frames = kept.get(step) ?? new Map<string, string>();
    kept.set(step, frames);
    const key = encoder.stable ?? "";
    const found = frames.get(key) ?? make();
    // Clients choose the name of the model: no more of them than a script is tried with.
    if (frames.size < 100) frames.set(key, found);
    return found;
  }

  function fail(step: Extract<Step, { fail: string }>): void {
    const fault = faultOf(step);
    if (outlet.begun) {
      send(() => encoder.fault(fault));
      return outlet.end();
    }
    const { status = 500, retryAfterMs } = fault;
    const wait = retryAfterMs === undefined ? {} : waitHeaders(retryAfterMs);
    outlet.refuse(status, dialect.error(status, fault.message), wait);
  }
}

/** In whole seconds, as all clients understand it, and exactly, as some do. */
function waitHeaders(ms: number): Readonly<Record<string, string>> {
  return { "retry-after": String(Math.ceil(ms / 1_000)), "retry-after-ms": String(ms) };
}
