import type { Message } from "../ports/model.ts";

type Result = Extract<Message, { role: "tool" }>;

/** What a request holds that rules look at: the last thing a person said, and what came of it since. */
export interface Situation {
  readonly prompt: string;
  /** How often the model has answered since. */
  readonly round: number;
  /** All results since, oldest first. */
  readonly results: readonly Result[];
  /** Those of the round before. */
  readonly latest: readonly Result[];
}

export function situationOf(messages: readonly Message[]): Situation {
  const asked = messages.findLastIndex((message) => message.role === "user" && message.injected !== true);
  const since = messages.slice(asked + 1);
  const answered = since.findLastIndex(({ role }) => role === "assistant");
  const results = (from: number) =>
    since.slice(from).filter((message): message is Result => message.role === "tool");
  return {
    prompt: messages[asked]?.text ?? "",
    round: since.filter(({ role }) => role === "assistant").length,
    results: results(0),
    latest: results(answered + 1),
  };
}

/** Enough of a text to recognise it. */
const QUOTE_CHARS = 200;
const FILE = /[\w][\w./-]*\.(?:md|txt|ts|js|mjs|py|go|rs|java|rb|c|html|css|toml)\b/g;

/**
 * `{{prompt}}`: what was asked. `{{result}}`: the last result; `{{result:TOOL}}`: the last one of this tool. `{{file}}`:
 * a file that the results name. Each is put in literally and looked at no further.
 */
export function fill(text: string, situation: Situation): string {
  if (!text.includes("{{")) return text;
  return text.replaceAll(/\{\{(prompt|file|result(?::([\w.-]+))?)\}\}/g, (_, what: string, tool?: string) => {
    if (what === "prompt") return quote(situation.prompt);
    if (what === "file") return fileIn(situation);
    return quote(situation.results.findLast(({ name }) => tool === undefined || name === tool)?.text ?? "");
  });
}

/** The same for every text in a value. */
export function fillAll(value: unknown, situation: Situation): unknown {
  if (typeof value === "string") return fill(value, situation);
  if (Array.isArray(value)) return value.map((item) => fillAll(item, situation));
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, fillAll(item, situation)]));
}

function quote(text: string): string {
  const chars = Array.from(text.trim());
  return chars.length > QUOTE_CHARS ? `${chars.slice(0, QUOTE_CHARS).join("")}…` : chars.join("");
}

function fileIn({ results }: Situation): string {
  const names = results.flatMap(({ text, failed }) => (failed ? [] : [...text.matchAll(FILE)].map(String)));
  return names.find((name) => /^readme\./i.test(name)) ?? names[0] ?? "README.md";
}
