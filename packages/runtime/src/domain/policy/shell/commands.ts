import { unescaped } from "./ansi-c.ts";
import type { Meter } from "../meter.ts";
import { newMeter, spend, take } from "../meter.ts";
import { parseShell } from "./parse.ts";
import type { Element, List, Pipeline, Simple } from "./tree.ts";
import { innersOf, isAssignment, READS_COMMANDS, SHELLS } from "./unwrap.ts";
import type { Variables } from "./variables.ts";
import { assign, commandsIn, settle } from "./variables.ts";

/** One program that a text would run. */
export interface ShellCommand {
  /** Without its directory, in small letters. */
  readonly name: string;
  /** Quoting removed, variables that the same text sets filled in, the name first. */
  readonly words: readonly string[];
  /** The name is made by the shell when it runs, so that nobody can say what it will be. */
  readonly computed: boolean;
  readonly redirects: readonly string[];
  /** Values that may be paths, of variables that are set for it, or by it when it has no name. */
  readonly assigned: readonly string[];
  /** Text that it is given to read: here-documents, here-strings, and what a plain echo or printf before it prints. */
  readonly input: string;
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
const LONGEST_PIPELINE = 50;
const PRINTS = new Set(["echo", "printf"]);
/** Where a target that only the shell knows could be anything, and everything after depends on it. */
const AIMED = new Set(["cd", "pushd", "rm", "rmdir", "unlink", "shred"]);

/** The programs that a shell would run for this text, those inside others included. Never throws. */
export function readShell(text: string, meter: Meter = newMeter()): ShellReading {
  const reading: Reading = { commands: [], readable: true, meter, variables: new Map() };
  script(reading, text, new Set(), [], 0);
  return { commands: reading.commands, readable: reading.readable && !meter.exceeded };
}

interface Reading {
  readonly commands: ShellCommand[];
  readable: boolean;
  readonly meter: Meter;
  readonly variables: Variables;
}

type Names = ReadonlySet<string>;
/** What a command reads, as far as it is written out. */
type Given = readonly string[];

function script(reading: Reading, text: string, into: Names, given: Given, depth: number): Names {
  const length = Math.min(text.length, LONGEST);
  const taken = depth > DEEPEST ? 0 : take(reading.meter, "text", length);
  if (taken < text.length) reading.readable = false;
  if (taken === 0) return new Set();
  const { list, readable } = parseShell(text.slice(0, taken), reading.meter);
  reading.readable &&= readable;
  return runs(reading, list, into, given, depth);
}

/** Records the commands of a list and gives their names. */
function runs(reading: Reading, list: List, into: Names, given: Given, depth: number): Names {
  const names = new Set<string>();
  for (const pipeline of list) {
    if (pipeline.length > LONGEST_PIPELINE) reading.readable = false;
    const elements = fed(
      pipeline
        .slice(0, LONGEST_PIPELINE)
        .map((element) =>
          element.kind === "group" ? element : settle(reading.variables, reading.meter, element),
        ),
    );
    const inputs = elements.map((_, i) => [
      ...given,
      ...elements.slice(0, i).flatMap((before) => (before.kind === "group" ? [] : said(before))),
    ]);
    // From the last to the first: what a command prints goes to all that come after it.
    let after = into;
    for (const [i, element] of [...elements.entries()].toReversed()) {
      const input = inputs[i] ?? [];
      const ran =
        element.kind === "group"
          ? runs(reading, element.list, after, input, depth)
          : run(reading, element, after, input, depth);
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

function run(reading: Reading, simple: Simple, downstream: Names, given: Given, depth: number): Names {
  const names = new Set<string>();
  const fedBy = simple.substitutions.filter(({ flow }) => flow === "out");
  const after = new Set([
    ...downstream,
    ...fedBy.flatMap(({ list }) => [...runs(reading, list, downstream, said(simple), depth)]),
  ]);
  const input = [...given, ...simple.stdin].join("\n");
  const assigned = assign(reading.variables, reading.meter, simple, input);
  const scripts = commandsIn(simple);
  let words: readonly string[] = programWords(simple);
  while (words.length > 0) {
    const name = programName(words[0] as string);
    const first = names.size === 0;
    const redirects = first ? simple.redirects : [];
    const command = { name, words, computed: isComputed(name), redirects, input, into: after };
    if (!record(reading, { ...command, assigned: first ? assigned : [] })) return names;
    if (
      AIMED.has(name) &&
      words.some((word, i) => i > 0 && !word.startsWith("-") && /\$[A-Za-z_]/.test(word))
    )
      reading.readable = false;
    names.add(name);
    const inners = innersOf(name, words);
    // All that a command prints is judged by where it goes, not as a name that nobody knows.
    for (const inner of inners) if ("script" in inner && inner.script !== "$()") scripts.push(inner.script);
    words = inners.flatMap((inner) => ("words" in inner ? inner.words : []));
  }
  if (names.size === 0 && simple.redirects.length + assigned.length > 0) {
    const nobody = { name: "", words: [], computed: false, redirects: simple.redirects };
    if (!record(reading, { ...nobody, assigned, input, into: after })) return names;
  }
  const toShell = [...names, ...after].some((name) => SHELLS.has(name) || READS_COMMANDS.has(name));
  if (toShell) scripts.push(...said(simple));
  for (const text of scripts)
    for (const name of script(reading, text, after, given, depth + 1)) names.add(name);
  const all = new Set([...names, ...after]);
  for (const { list, flow } of simple.substitutions) if (flow === "in") runs(reading, list, all, [], depth);
  return names;
}

/** False when there is no room for it. */
function record(reading: Reading, command: ShellCommand): boolean {
  const { words, redirects, assigned, input } = command;
  const size = [...words, ...redirects, ...assigned].reduce(
    (sum, word) => sum + word.length + 1,
    input.length,
  );
  if (!spend(reading.meter, "commands", 1) || !spend(reading.meter, "made", size)) return false;
  reading.commands.push(command);
  return true;
}

function programWords({ words }: Simple): string[] {
  const from = words.findIndex(({ text }) => !isAssignment(text));
  return from === -1 ? [] : words.slice(from).map(({ text }) => text);
}

function nameOf(simple: Simple): string {
  return programName(programWords(simple)[0] ?? "");
}

/** What it puts out, as far as its text says: what it is given to read, and what `echo` and `printf` print. */
function said(simple: Simple): string[] {
  return [...simple.stdin, ...printed(simple)];
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
