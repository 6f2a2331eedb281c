import { unescaped } from "./ansi-c.ts";
import { parseShell } from "./parse.ts";
import type { Element, List, Pipeline, Simple } from "./tree.ts";
import { innerOf, isAssignment, SHELLS } from "./unwrap.ts";

/** One program that a text would run. */
export interface ShellCommand {
  /** Without its directory, in small letters. */
  readonly name: string;
  /** Quoting removed, the name first. */
  readonly words: readonly string[];
  /** The name is made by the shell when it runs, so that nobody can say what it will be. */
  readonly computed: boolean;
  readonly redirects: readonly string[];
  /** Programs that its output goes to. */
  readonly into: ReadonlySet<string>;
}

export interface ShellReading {
  readonly commands: readonly ShellCommand[];
  /** False when the text is cut, unbalanced, too long or too deep to say for certain what it runs. */
  readonly readable: boolean;
}

const LONGEST = 65_536;
const DEEPEST = 6;
const MOST_COMMANDS = 1_000;
const LONGEST_PIPELINE = 50;
const PRINTS = new Set(["echo", "printf"]);

/** The programs that a shell would run for this text, those inside others included. Never throws. */
export function readShell(text: string): ShellReading {
  const reading: Reading = { commands: [], readable: text.length <= LONGEST };
  script(reading, text.slice(0, LONGEST), new Set(), 0);
  return reading;
}

interface Reading {
  readonly commands: ShellCommand[];
  readable: boolean;
}

type Names = ReadonlySet<string>;

function script(reading: Reading, text: string, into: Names, depth: number): Names {
  if (depth > DEEPEST || reading.commands.length > MOST_COMMANDS) {
    reading.readable = false;
    return new Set();
  }
  const { list, readable } = parseShell(text);
  reading.readable &&= readable;
  return runs(reading, list, into, depth);
}

/** Records the commands of a list and gives their names. */
function runs(reading: Reading, list: List, into: Names, depth: number): Names {
  const names = new Set<string>();
  for (const pipeline of list) {
    if (pipeline.length > LONGEST_PIPELINE) reading.readable = false;
    // From the last to the first: what a command prints goes to all that come after it.
    let after = into;
    for (const element of fed(pipeline.slice(0, LONGEST_PIPELINE)).toReversed()) {
      const ran =
        element.kind === "group"
          ? runs(reading, element.list, after, depth)
          : run(reading, element, after, depth);
      for (const name of ran) names.add(name);
      after = new Set([...ran, ...after]);
    }
  }
  return names;
}

/** `echo x | xargs y` is `y x`. */
function fed(pipeline: Pipeline): Pipeline {
  return pipeline.map((element, i): Element => {
    const before = pipeline[i - 1];
    if (element.kind === "group" || before?.kind !== "simple" || !PRINTS.has(nameOf(before))) return element;
    if (!element.words.some(({ text }) => programName(text) === "xargs")) return element;
    return { ...element, words: [...element.words, ...before.words.slice(1)] };
  });
}

function run(reading: Reading, simple: Simple, downstream: Names, depth: number): Names {
  const names = new Set<string>();
  if (reading.commands.length > MOST_COMMANDS) {
    reading.readable = false;
    return names;
  }
  const fedBy = simple.substitutions.filter(({ flow }) => flow === "out");
  const after = new Set([
    ...downstream,
    ...fedBy.flatMap(({ list }) => [...runs(reading, list, downstream, depth)]),
  ]);
  const scripts: string[] = [];
  let words: readonly string[] = programWords(simple);
  while (words.length > 0) {
    const name = programName(words[0] as string);
    const redirects = names.size === 0 ? simple.redirects : [];
    reading.commands.push({ name, words, computed: isComputed(name), redirects, into: after });
    names.add(name);
    const inner = innerOf(name, words);
    if (inner === undefined) break;
    // All that a command prints is judged by where it goes, not as a name that nobody knows.
    if ("script" in inner && inner.script !== "$()") scripts.push(inner.script);
    words = "words" in inner ? inner.words : [];
  }
  if (names.size === 0 && simple.redirects.length > 0) {
    reading.commands.push({ name: "", words: [], computed: false, redirects: simple.redirects, into: after });
  }
  const toShell = [...names, ...after].some((name) => SHELLS.has(name));
  if (toShell) scripts.push(...simple.stdin, ...printed(simple));
  for (const text of scripts) for (const name of script(reading, text, after, depth + 1)) names.add(name);
  const all = new Set([...names, ...after]);
  for (const { list, flow } of simple.substitutions) if (flow === "in") runs(reading, list, all, depth);
  return names;
}

function programWords({ words }: Simple): string[] {
  const from = words.findIndex(({ text }) => !isAssignment(text));
  return from === -1 ? [] : words.slice(from).map(({ text }) => text);
}

function nameOf(simple: Simple): string {
  return programName(programWords(simple)[0] ?? "");
}

/** What `echo` and `printf` print, as far as their words say. */
function printed(simple: Simple): string[] {
  const name = nameOf(simple);
  if (!PRINTS.has(name)) return [];
  const words = programWords(simple).slice(1);
  const said = name === "echo" ? words.slice(words.findIndex((word) => !/^-[neE]+$/.test(word))) : words;
  const formatted = name === "printf" && words.length > 1 && words[0]?.includes("%") ? said.slice(1) : said;
  return [unescaped(formatted.join(" "))];
}

function programName(word: string): string {
  const base = word.slice(word.lastIndexOf("/") + 1).toLowerCase();
  return (base === "" ? word : base).replace(/\.exe$/, "");
}

function isComputed(name: string): boolean {
  return name !== "[" && name !== "[[" && /[$*?[\]{}]/.test(name);
}
