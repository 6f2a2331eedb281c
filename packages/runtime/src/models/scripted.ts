import type { Model, ModelPart, ModelRequest } from "../ports/model.ts";
import { demoScript } from "./demo.ts";
import type { Script, Step } from "./script.ts";

export interface ScriptedOptions {
  readonly script?: Script;
  readonly id?: string;
  /** How our own commands are called, where the script that comes along names them. */
  readonly self?: string;
  /** Waits, or less when the signal aborts. */
  readonly sleep?: (ms: number, signal: AbortSignal) => Promise<void>;
}

/** Enough of the prompt to recognise it. */
const QUOTE_CHARS = 200;

/** A provider that needs no account: the same request always gets the same answer, faults included. */
export function scriptedModel(options: ScriptedOptions = {}): Model {
  const { script = demoScript(options.self ?? "fairlead"), id = "scripted", sleep = realSleep } = options;
  return {
    provider: "fairlead",
    id,
    async *stream(request, signal) {
      const prompt = request.messages.at(-1)?.text ?? "";
      const rule = script.rules.find(
        ({ when }) => when === undefined || prompt.toLowerCase().includes(when.toLowerCase()),
      );
      const steps: readonly Step[] = rule?.do ?? [{ say: "Nothing in my script answers that." }];
      let said = 0;
      let last: ModelPart & { type: "finish" } = { type: "finish", reason: "stop" };
      for (const step of steps) {
        if (signal.aborted) return;
        if ("say" in step || "think" in step) {
          const [type, text] =
            "say" in step ? (["text", step.say] as const) : (["thinking", step.think] as const);
          for (const word of words(fill(text, prompt))) {
            yield { type, text: word };
            said += word.length;
            if (script.word_ms) await sleep(script.word_ms, signal);
            if (signal.aborted) return;
          }
        } else if ("wait_ms" in step) await sleep(step.wait_ms, signal);
        else if ("fail" in step) throw new Error(step.fail);
        else if ("hang" in step) await untilAborted(signal);
        else if ("cut" in step) return;
        else if ("garbage" in step) yield step.garbage as ModelPart;
        else last = { type: "finish", reason: step.finish };
      }
      yield { type: "usage", input_tokens: tokens(lengthOf(request)), output_tokens: tokens(said) };
      yield last;
    },
  };
}

function fill(text: string, prompt: string): string {
  const chars = Array.from(prompt.trim());
  const quote = chars.length > QUOTE_CHARS ? `${chars.slice(0, QUOTE_CHARS).join("")}…` : chars.join("");
  return text.replaceAll("{{prompt}}", () => quote);
}

/** Each word with the space before it; together they are the text. */
function words(text: string): readonly string[] {
  return text.match(/\s*\S+|\s+$/g) ?? [];
}

function lengthOf(request: ModelRequest): number {
  return request.messages.reduce((sum, message) => sum + message.text.length, 0);
}

/** A guess, as good as any without a tokenizer. */
function tokens(chars: number): number {
  return Math.ceil(chars / 4);
}

function realSleep(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(done, ms);
    function done(): void {
      clearTimeout(timer);
      signal.removeEventListener("abort", done);
      resolve();
    }
    signal.addEventListener("abort", done);
  });
}

function untilAborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener("abort", () => resolve(), { once: true });
  });
}
