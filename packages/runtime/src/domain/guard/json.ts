import { jsonrepair } from "jsonrepair";
import type { ToolArguments } from "../../ports/tool.ts";
import { isRecord } from "../is-record.ts";
import { jsonTokens } from "./json-tokens.ts";
import type { Found, GuardFault } from "./types.ts";
import { cut } from "./words.ts";

const FENCE = /^\s*```(?:json)?\s*\n([^]*?)\n?\s*```\s*$/;

/**
 * Mends the syntax of arguments that do not parse: quotes, commas, comments, Python's literals, raw line breaks in
 * strings, a code fence around it all. Nothing is completed. What was cut off, in a string or before a closing
 * bracket, may have lost arguments, and a guess would run as if it had been said.
 */
export function mendJson(text: string): Found<ToolArguments> {
  // How some providers send a call without arguments.
  if (text.trim() === "")
    return { ok: true, value: {}, repair: unparsable("No arguments were taken as {}.") };
  try {
    const source = FENCE.exec(text)?.[1] ?? text;
    const said = jsonTokens(source);
    if (said === undefined || !isBalanced(said)) return { ok: false, fault: unreadable(text) };
    const mended = jsonrepair(source);
    const value: unknown = JSON.parse(mended);
    if (!sameTokens(said, jsonTokens(mended))) return { ok: false, fault: unreadable(text) };
    if (!isRecord(value)) return { ok: false, fault: notAnObject(value) };
    return {
      ok: true,
      value,
      repair: unparsable("The arguments were not valid JSON; their syntax was mended."),
    };
  } catch {
    return { ok: false, fault: unreadable(text) };
  }
}

export function notAnObject(value: unknown): GuardFault {
  const came = Array.isArray(value) ? "a list" : value === null ? "null" : `a ${typeof value}`;
  return unparsable(`The arguments must be one JSON object, but ${came} came.`);
}

/** Why JSON cannot read a text, with the place where the parser gives one. */
export function unreadable(text: string): GuardFault {
  let why = "it cannot be read";
  try {
    JSON.parse(text);
  } catch (error) {
    why = cut((error as Error).message.replaceAll(/\s+/g, " "), 120);
  }
  return unparsable(`The arguments are not valid JSON: ${why}. Send one complete JSON object.`);
}

export function unparsable(error: string): GuardFault {
  return { kind: "unparsable", at: "", error };
}

function isBalanced(tokens: readonly string[]): boolean {
  const open: string[] = [];
  for (const token of tokens) {
    if (token === "{" || token === "[") open.push(token);
    if (token === "}" && open.pop() !== "{") return false;
    if (token === "]" && open.pop() !== "[") return false;
  }
  return open.length === 0;
}

function sameTokens(a: readonly string[], b: readonly string[] | undefined): boolean {
  return b !== undefined && a.length === b.length && a.every((token, i) => token === b[i]);
}
