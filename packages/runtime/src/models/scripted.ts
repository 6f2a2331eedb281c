import type { FinishReason, Model, ModelPart, Price } from "../ports/model.ts";
import { demoScript } from "./demo.ts";
import { choosePlay, faultOf, type Played, words } from "./play.ts";
import type { Script } from "./script.ts";
import { realSleep, untilAborted } from "./sleep.ts";

export interface ScriptedOptions {
  readonly script?: Script;
  readonly id?: string;
  readonly price?: Price;
  /** How our own commands are called, where the script that comes along names them. */
  readonly self?: string;
  /** Waits, or less when the signal aborts. */
  readonly sleep?: (ms: number, signal: AbortSignal) => Promise<void>;
}

/** A provider that needs no account: the same request always gets the same answer, faults included. */
export function scriptedModel(options: ScriptedOptions = {}): Model {
  const { script = demoScript(options.self ?? "fairlead"), id = "scripted", sleep = realSleep } = options;
  const played: Played = new Map();
  return {
    provider: "fairlead",
    id,
    ...(options.price === undefined ? {} : { price: options.price }),
    async *stream(request, signal) {
      const play = choosePlay(script, request, played);
      let said = 0;
      let usage: ModelPart | undefined;
      let reason: FinishReason = "stop";
      for (const step of play.steps) {
        if (signal.aborted) return;
        if ("say" in step || "think" in step) {
          const [type, text] =
            "say" in step ? (["text", step.say] as const) : (["thinking", step.think] as const);
          for (const word of words(play.text(text))) {
            yield { type, text: word };
            said += word.length;
            if (script.word_ms) await sleep(script.word_ms, signal);
            if (signal.aborted) return;
          }
        } else if ("call" in step) {
          // The port knows whole calls only: of half a one nothing arrives, and the answer has no end.
          if (step.half) return;
          const call = play.call(step);
          yield { type: "tool_call", ...call };
          said += call.arguments.length;
          reason = "tool_calls";
        } else if ("wait_ms" in step) await sleep(step.wait_ms, signal);
        else if ("fail" in step) throw faultOf(step);
        else if ("hang" in step) await untilAborted(signal);
        else if ("cut" in step) return;
        else if ("garbage" in step) yield step.garbage as ModelPart;
        else if ("usage" in step) usage = { type: "usage", ...step.usage } as ModelPart;
        else reason = step.finish;
      }
      if (signal.aborted) return;
      yield usage ?? { type: "usage", ...play.usage(said) };
      yield { type: "finish", reason };
    },
  };
}
