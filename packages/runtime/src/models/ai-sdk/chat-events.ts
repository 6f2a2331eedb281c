import { JSONParseError } from "@ai-sdk/provider";
import { isObject } from "./json.ts";

/** The events of a stream of chat completions, however its bytes are cut. */
export interface ChatEvents {
  /** Whether the server has said that the answer is complete: what comes after that is no part of it. */
  done(): boolean;
  /** What is whole by now, each as it was meant. Throws where it is no JSON. */
  take(bytes: Uint8Array): Iterable<unknown>;
  /** The last one, where it was not closed. */
  end(): Iterable<unknown>;
}

const DONE = "[DONE]";

export function createChatEvents(): ChatEvents {
  const decoder = new TextDecoder();
  let rest = "";
  let done = false;

  function* read(events: readonly string[]): Generator<unknown> {
    for (let at = 0; at < events.length; at++) {
      const data = dataOf(events[at] as string);
      done ||= data === DONE;
      if (done) return;
      if (data === "") continue;
      const chunk = parsed(data);
      // Most of a burst are events that differ in one word. They are one: to read each would cost more than all the rest.
      const seam = at + 1 < events.length ? seamOf(data, chunk) : undefined;
      if (seam !== undefined) {
        let { text } = seam;
        for (; at + 1 < events.length; at++) {
          const more = between(seam, dataOf(events[at + 1] as string));
          if (more === undefined) break;
          text += more;
        }
        seam.delta[seam.field] = text;
      }
      yield chunk;
    }
  }

  return {
    done: () => done,
    take(bytes) {
      const text = rest + decoder.decode(bytes, { stream: true });
      // The second half of a line end may still come.
      const end = text.endsWith("\r") ? text.length - 1 : text.length;
      const events = lines(text.slice(0, end)).split("\n\n");
      rest = (events.pop() ?? "") + text.slice(end);
      return read(events);
    },
    end: () => read([lines(rest + decoder.decode())]),
  };
}

function lines(text: string): string {
  return text.includes("\r") ? text.replaceAll(/\r\n?/g, "\n") : text;
}

/** The data of an event, in however many lines; empty for a comment. */
function dataOf(event: string): string {
  if (event.startsWith("data: ") && !event.includes("\n")) return event.slice(6);
  return event
    .split("\n")
    .filter((line) => line.startsWith("data:"))
    .map((line) => line.slice(line[5] === " " ? 6 : 5))
    .join("\n");
}

function parsed(data: string): unknown {
  try {
    return JSON.parse(data) as unknown;
  } catch (cause) {
    throw new JSONParseError({ text: data, cause });
  }
}

type Field = "content" | "reasoning_content" | "reasoning";

/** An event around the one text that it says. */
interface Seam {
  readonly before: string;
  readonly behind: string;
  readonly text: string;
  readonly field: Field;
  readonly delta: Record<string, unknown>;
}

function seamOf(data: string, chunk: unknown): Seam | undefined {
  // With nothing escaped, all is written as it is read.
  if (data.includes("\\") || !isObject(chunk) || !Array.isArray(chunk["choices"])) return undefined;
  const choice: unknown = chunk["choices"][0];
  if (!isObject(choice) || !isObject(choice["delta"])) return undefined;
  const { delta } = choice;
  const field = fieldOf(delta);
  if (field === undefined) return undefined;
  const key = `"${field}"`;
  const at = data.indexOf(key);
  // The name is there once, so this is where it stands.
  if (data.includes(key, at + key.length)) return undefined;
  const from = data.indexOf('"', at + key.length) + 1;
  const text = delta[field] as string;
  const to = from + text.length;
  return { before: data.slice(0, from), behind: data.slice(to), text, field, delta };
}

/** The only field with something to say. Whose turn it is may be said with each word. */
function fieldOf(delta: Readonly<Record<string, unknown>>): Field | undefined {
  let found: Field | undefined;
  for (const [key, value] of Object.entries(delta)) {
    if (key === "role" || value === null || value === "") continue;
    if (found !== undefined || typeof value !== "string") return undefined;
    if (key !== "content" && key !== "reasoning_content" && key !== "reasoning") return undefined;
    found = key;
  }
  return found;
}

const PLAIN = /^[^"\\\p{Cc}]*$/u;
const ESCAPED = /^(?:[^"\\\p{Cc}]|\\.)*$/u;

/** The text of an event that is the same but for it. */
function between({ before, behind }: Seam, data: string): string | undefined {
  if (data.length < before.length + behind.length) return undefined;
  if (!data.startsWith(before) || !data.endsWith(behind)) return undefined;
  const text = data.slice(before.length, data.length - behind.length);
  if (PLAIN.test(text)) return text;
  if (!ESCAPED.test(text)) return undefined;
  try {
    return JSON.parse(`"${text}"`) as string;
  } catch {
    return undefined;
  }
}
