import { fileUrlPath } from "./places.ts";

/** What an action says it will do, gathered from a payload that no schema describes. */
export interface Said {
  readonly tool: string;
  /** Command lines. */
  readonly texts: readonly string[];
  readonly paths: readonly string[];
  readonly urls: readonly string[];
  /** Where the commands run, if it says. */
  readonly cwd: string | undefined;
  /** False when there was more than is looked at. */
  readonly complete: boolean;
}

const SHELL_TOOL =
  /(^|[^a-z])(ba|z|da|k|fi|pw)?sh($|[^a-z])|shell|terminal|exec|command|cmd|console|subprocess/i;
const COMMAND_KEY = /^(shell_?)?(command|cmd|script|command_?line|argv)s?$/i;
const CWD_KEY = /^(cwd|workdir|work_?dir|working_?dir(ectory)?)$/i;
const PATH_KEY =
  /(^|_)(paths?|files?|file_?names?|dirs?|director(y|ies)|folders?|targets?|sources?|destinations?|src|dest|uri)$|(path|file|dir)$/i;
/** Keys whose text is for people or is what gets written: it names no file, and runs nothing. */
const CONTENT_KEY =
  /^(content|contents|text|body|message|query|question|prompt|description|explanation|reason|title|summary|pattern|regex|glob|(old|new)_?(string|str|text)|code|data|diff|patch|replacement|insert_text|headers?)$/i;
/** Keys that never hold a command, not even for a tool that runs them. */
const SPOKEN_FOR =
  /^(tool_name|tool|name|id|description|explanation|reason|title|summary|cwd|work_?dir|working_?dir(ectory)?|timeout.*)$/i;
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
  readonly shell: boolean;
  readonly texts: string[];
  readonly paths: string[];
  readonly urls: string[];
  cwd: string | undefined;
  nodes: number;
}

/** Reads a `pre_action` payload. By convention it has `tool_name` and `arguments`; others are met half-way. Never throws. */
export function saidBy(payload: unknown): Said {
  const fields = asRecord(payload);
  const tool =
    [fields["tool_name"], fields["tool"], fields["name"]].find((name) => typeof name === "string") ?? "";
  const given =
    fields["arguments"] ?? fields["args"] ?? fields["input"] ?? fields["tool_input"] ?? fields["parameters"];
  const args = given === undefined ? payload : typeof given === "string" ? unpacked(given) : given;
  const found: Gathering = {
    shell: SHELL_TOOL.test(tool),
    texts: [],
    paths: [],
    urls: [],
    cwd: undefined,
    nodes: 0,
  };
  const key = given === undefined ? "payload" : "arguments";
  gather(found, args, key, 0);
  const { texts, paths, urls, cwd, nodes } = found;
  return { tool, texts, paths, urls, cwd, complete: nodes < MOST_NODES };
}

function gather(found: Gathering, value: unknown, key: string, depth: number): void {
  found.nodes += depth > DEEPEST ? MOST_NODES : 1;
  if (found.nodes >= MOST_NODES) return;
  if (typeof value === "string") return text(found, value, key);
  if (Array.isArray(value)) {
    const words = value.filter((item) => typeof item === "string");
    // One command as words, or several commands: both readings count.
    if (COMMAND_KEY.test(key) && words.length > 0) found.texts.push(words.map(quoted).join(" "));
    for (const item of value) gather(found, item, key, depth + 1);
    return;
  }
  const fields = asRecord(value);
  const rest = fields["args"] ?? fields["argv"] ?? fields["arguments"];
  const program = fields["command"] ?? fields["cmd"] ?? fields["program"];
  if (typeof program === "string" && Array.isArray(rest)) {
    found.texts.push(`${program} ${rest.map((word) => quoted(String(word))).join(" ")}`);
  }
  for (const [name, item] of Object.entries(fields)) gather(found, item, name, depth + 1);
}

function text(found: Gathering, value: string, key: string): void {
  if (PATCH.test(value)) for (const [, path = ""] of value.matchAll(PATCHED)) found.paths.push(path.trim());
  if (CWD_KEY.test(key)) {
    found.cwd ??= value;
    found.paths.push(value);
  } else if (COMMAND_KEY.test(key)) found.texts.push(value);
  else if (value.startsWith("file:")) found.paths.push(fileUrlPath(value));
  else if (URL.test(value)) found.urls.push(value);
  else if (
    !CONTENT_KEY.test(key) &&
    value.length <= LONGEST_PATH &&
    (PATH_KEY.test(key) || PATH_LIKE.test(value))
  ) {
    found.paths.push(value);
  }
  // A tool that runs commands may call its argument anything.
  if (found.shell && !SPOKEN_FOR.test(key) && !COMMAND_KEY.test(key)) found.texts.push(value);
}

/** Arguments that came as text: JSON where it is JSON, else as they are. */
function unpacked(given: string): unknown {
  if (!/^\s*[[{]/.test(given)) return given;
  try {
    return JSON.parse(given) as unknown;
  } catch {
    return given;
  }
}

function quoted(word: string): string {
  return `'${word.replaceAll("'", String.raw`'\''`)}'`;
}

function asRecord(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null ? (value as Record<string, unknown>) : {};
}
