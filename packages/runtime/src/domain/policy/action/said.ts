import { isRecord } from "../../is-record.ts";
import type { Meter } from "../meter.ts";
import { newMeter, spend } from "../meter.ts";
import { asCode, CODE_TOOL, namesOf, SHELL_TOOL } from "./tools.ts";
import { fileUrlPath } from "./places.ts";

/** What an action says it will do, gathered from a payload that no schema describes. */
export interface Said {
  readonly tool: string;
  /** Command lines. */
  readonly texts: readonly string[];
  readonly paths: readonly string[];
  /** Other texts, which name a file only if the tool takes them for a name. */
  readonly maybe: readonly string[];
  readonly urls: readonly string[];
  /** Where the commands run, if it says. */
  readonly cwd: string | undefined;
  /** False when there was more than is looked at, or nothing that says what is done. */
  readonly complete: boolean;
}

const COMMAND_KEY = /^(shell_?)?(command|cmd|script|command_?line|argv)s?$/i;
const ARGUMENTS_KEY = /^(arguments?|args|(tool_?)?input|parameters|params|payload)$/i;
const CWD_KEY = /^(cwd|workdir|work_?dir|working_?dir(ectory)?)$/i;
const PATH_KEY =
  /(^|_)(paths?|files?|file_?names?|dirs?|director(y|ies)|folders?|targets?|sources?|destinations?|src|dest|uri)$|(path|file|dir)$/i;
/** Keys whose text is for people or is what gets written: it names no file, and runs nothing. */
const WRITTEN_KEY =
  /^(content|contents|text|body|message|question|prompt|description|explanation|reason|title|summary|(old|new)_?(string|str|text)|code|diff|patch|replacement|insert_text|headers?)$/i;
/** Keys whose text is looked for: it may name a file that is secret, but none that is outside. */
const SOUGHT_KEY = /^(query|pattern|regex|glob|data|value)$/i;
/** Keys that hold a command only where nothing else does, not even for a tool that runs them. */
const SPOKEN_FOR =
  /^(tool_?name|tool|name|type|id|.*_id|description|explanation|reason|title|summary|cwd|work_?dir|working_?dir(ectory)?|timeout.*|workspace)$/i;
const URL = /^[a-z][a-z0-9+.-]*:\/\//i;
/** A patch names the files it changes in its text. */
const PATCH = /^(\*\*\* Begin Patch|\+\+\+ \S)/m;
const PATCHED =
  /^(?:\*\*\* (?:Add|Update|Delete) File: |\*\*\* Move to: |\+\+\+ (?:b\/)?|--- (?:a\/)?)(\S[^\t\n]*)/gm;
const PATH_LIKE = /^(\/|~|\.\.?(\/|$)|[a-z]:\\)[^\n]*$/i;

const MOST_NODES = 5_000;
const DEEPEST = 12;
const LONGEST_PATH = 4_096;

interface Gathering {
  readonly meter: Meter;
  readonly shell: boolean;
  /** The language that the tool runs. */
  readonly code: string | undefined;
  readonly texts: string[];
  readonly paths: string[];
  readonly maybe: string[];
  readonly urls: string[];
  /** Texts that count as commands only if there is no other. */
  readonly spare: string[];
  cwd: string | undefined;
  nodes: number;
}

/** Reads all of a `pre_action` payload. By convention it has `tool_name` and `arguments`; others are met half-way. Never throws. */
export function saidBy(payload: unknown, meter: Meter = newMeter()): Said {
  const names = namesOf(payload);
  const found: Gathering = {
    meter,
    shell:
      names.some((name) => SHELL_TOOL.test(name)) || typeof payload === "string" || Array.isArray(payload),
    code: names.map((name) => CODE_TOOL.exec(name)?.[0].toLowerCase()).find((name) => name !== undefined),
    texts: [],
    paths: [],
    maybe: [],
    urls: [],
    spare: [],
    cwd: undefined,
    nodes: 0,
  };
  gather(found, payload, "payload", 0);
  const { texts, paths, maybe, urls, cwd, nodes } = found;
  if (found.shell && texts.length === 0) texts.push(...found.spare);
  const told = names.length + texts.length + paths.length + urls.length > 0;
  const complete = nodes < MOST_NODES && told && !strange(payload);
  return { tool: names[0] ?? "", texts, paths, maybe, urls, cwd, complete };
}

/** A name that is no text, or arguments that are no arguments: whoever runs this may see something in it that is not seen here. */
function strange(payload: unknown): boolean {
  if (!isRecord(payload)) return false;
  return Object.entries(payload).some(([key, value]) => {
    if (value === null || value === undefined) return false;
    if (key === "tool_name") return typeof value !== "string";
    return key === "arguments" && typeof value !== "object" && typeof value !== "string";
  });
}

function gather(found: Gathering, value: unknown, key: string, depth: number): void {
  found.nodes += depth > DEEPEST ? MOST_NODES : 1;
  if (found.nodes >= MOST_NODES || found.meter.exceeded) return;
  if (typeof value === "string") {
    const unpacked = WRITTEN_KEY.test(key) && !found.shell ? undefined : fromJson(value);
    if (unpacked !== undefined) gather(found, unpacked, key, depth + 1);
    if (unpacked === undefined || !ARGUMENTS_KEY.test(key)) text(found, value, key, depth);
    return;
  }
  if (Array.isArray(value)) {
    const words = value.filter((item) => typeof item === "string");
    // One command as words, or several commands: both readings count.
    if ((COMMAND_KEY.test(key) || (found.shell && ARGUMENTS_KEY.test(key))) && words.length > 0)
      command(found, words.map(quoted).join(" "));
    for (const item of value) gather(found, item, key, depth + 1);
    return;
  }
  if (!isRecord(value)) return;
  const rest = value["args"] ?? value["argv"] ?? value["arguments"];
  const program = value["command"] ?? value["cmd"] ?? value["program"];
  if (typeof program === "string" && Array.isArray(rest)) {
    command(found, `${program} ${rest.map((word) => quoted(wordOf(found, word))).join(" ")}`);
  }
  for (const [name, item] of Object.entries(value))
    if (depth > 0 || !isNameOfCall(name, item, value)) gather(found, item, name, depth + 1);
}

/**
 * The provider's name for the call, which no tool takes for a file. Only beside arguments that have a place of their own:
 * in a payload that is nothing but arguments, and among arguments, it may be one of them.
 */
function isNameOfCall(key: string, value: unknown, payload: Readonly<Record<string, unknown>>): boolean {
  return key === "tool_call_id" && typeof value === "string" && isRecord(payload["arguments"]);
}

/** What a program would get for it. Never throws: what cannot be read makes the action not readable. */
function wordOf(found: Gathering, word: unknown): string {
  try {
    return written(word);
  } catch {
    // It nests too deeply.
    found.nodes = MOST_NODES;
    return "";
  }
}

/** A list with commas, as most programs write one; an object as its JSON, for its `toString` may be anything. */
function written(word: unknown): string {
  if (typeof word === "string") return word;
  if (Array.isArray(word)) return word.map((item) => written(item ?? "")).join(",");
  return JSON.stringify(word) ?? "";
}

function command(found: Gathering, text: string): void {
  if (spend(found.meter, "strings", text.length)) found.texts.push(text);
  else found.texts.push(text.slice(0, LONGEST_PATH * 16));
}

function text(found: Gathering, value: string, key: string, depth: number): void {
  if (PATCH.test(value)) {
    for (const [, path = ""] of value.matchAll(PATCHED)) {
      if (!spend(found.meter, "strings", path.length)) return;
      found.paths.push(path.trim());
    }
  }
  named(found, value.trim(), key);
  if (COMMAND_KEY.test(key)) return command(found, value);
  const asked = found.shell || found.code !== undefined;
  // A tool that runs commands may call its argument anything.
  if (!asked) return;
  if (!SPOKEN_FOR.test(key)) command(found, found.code === undefined ? value : asCode(found.code, value));
  else if (depth > 1 && !CWD_KEY.test(key)) found.spare.push(value);
}

/** The files and addresses that a text names. */
function named(found: Gathering, value: string, key: string): void {
  if (value.length > LONGEST_PATH || COMMAND_KEY.test(key)) return;
  if (!spend(found.meter, "strings", value.length)) return;
  if (CWD_KEY.test(key)) {
    found.cwd ??= value;
    found.paths.push(value);
  } else if (/^file:/i.test(value)) found.paths.push(fileUrlPath(value));
  else if (URL.test(value)) found.urls.push(value);
  else if (WRITTEN_KEY.test(key) || /^(tool_?name|type)$/i.test(key)) return;
  else if (!SOUGHT_KEY.test(key) && (PATH_KEY.test(key) || PATH_LIKE.test(value))) found.paths.push(value);
  else if (isName(value)) found.maybe.push(value);
}

/** Not a sentence, and not a pattern over any text. */
function isName(value: string): boolean {
  return value !== "" && value.length <= 1_024 && !/\n|^\.[*+]|(\s\S+){3}/.test(value);
}

/** What a text holds that is JSON with something in it. */
function fromJson(given: string): unknown {
  if (!/^\s*[[{]/.test(given)) return undefined;
  try {
    return JSON.parse(given) as unknown;
  } catch {
    return undefined;
  }
}

function quoted(word: string): string {
  return `'${word.replaceAll("'", String.raw`'\''`)}'`;
}
