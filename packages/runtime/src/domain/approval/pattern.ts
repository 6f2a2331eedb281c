import { canonicalJson, isShallow } from "../canonical.ts";
import { isRecord } from "../is-record.ts";
import { matchesPath, readPathPattern } from "./path-pattern.ts";
import type { Asked } from "./types.ts";
import { matchesUrl, readUrlPattern } from "./url-pattern.ts";
import { matchesWords, readWordPattern } from "./word-pattern.ts";

/** `TOOL: REST`, or `TOOL` alone. */
export interface Pattern {
  readonly tool: string;
  /** Null: any arguments that a pattern of this tool can allow. */
  readonly rest: string | null;
}

export type ReadPattern =
  | { readonly ok: true; readonly pattern: Pattern }
  | { readonly ok: false; readonly error: string };

/** What stands after the name: words of a command, a path, an address, or arguments as JSON. */
export type Shape = "words" | "path" | "url" | "arguments";

const LONGEST = 1_000;
const FORM = /^([A-Za-z0-9_][A-Za-z0-9_.\-/]{0,127})(?:\s*:(?:\s+(.*))?)?$/s;

/** The tools whose shape is known by name alone, so that a pattern can be refused before it is ever tried. */
const SHAPES: Readonly<Record<string, Shape>> = {
  shell: "words",
  read_file: "path",
  write_file: "path",
  edit_file: "path",
  list_files: "path",
  local_search: "path",
  web_fetch: "url",
};

const SAYS: Record<Shape, string> = {
  words:
    "one plain command, such as `git status*`: no `;`, `&`, `|`, redirection, `$`, line break or assignment, and `*` only at the end",
  path: "a path of the workspace, such as `src/**` or `notes/*.md`: relative, without `..`, `?`, `[` or `{`",
  url: "an address, such as `https://example.com/docs/*`: with its whole host, and `*` only at the end",
  arguments: '`*`, or the exact arguments as JSON, such as `{"id":7}`',
};

/** A pattern that does not read says why, and is never saved. */
export function parsePattern(text: string): ReadPattern {
  // oxlint-disable-next-line no-control-regex
  if (text.length > LONGEST || /[\u0000-\u001f\u007f]/.test(text))
    return bad(`A pattern is one line of at most ${LONGEST} characters.`);
  const [, tool, rest] = FORM.exec(text.trim()) ?? [];
  if (tool === undefined)
    return bad("A pattern is `TOOL: WORDS`, such as `shell: git status*`, or the name of a tool alone.");
  if (rest === undefined || rest === "") {
    if (text.includes(":"))
      return bad(`Nothing follows \`${tool}:\`. Say what it may do, or approve this call alone.`);
    return { ok: true, pattern: { tool, rest: null } };
  }
  const shape = Object.hasOwn(SHAPES, tool) ? SHAPES[tool] : undefined;
  const shapes: readonly Shape[] = shape === undefined ? ["arguments", "path", "words", "url"] : [shape];
  if (!shapes.some((one) => READS[one](rest)))
    return bad(`After \`${tool}:\` comes ${SAYS[shape ?? "arguments"]}.`);
  // One text for the same arguments, so that lists show equal patterns as equal.
  const exact = shape === undefined ? argumentsOf(rest) : undefined;
  return { ok: true, pattern: { tool, rest: exact ?? rest } };
}

export function printPattern({ tool, rest }: Pattern): string {
  return rest === null ? tool : `${tool}: ${rest}`;
}

const READS: Record<Shape, (rest: string) => boolean> = {
  words: (rest) => readWordPattern(rest) !== undefined,
  path: (rest) => readPathPattern(rest) !== undefined,
  url: (rest) => rest === "*" || readUrlPattern(rest) !== undefined,
  arguments: (rest) => rest === "*" || argumentsOf(rest) !== undefined,
};

export function shapeOf(asked: Asked): Shape {
  if (asked.kind === "shell") return "words";
  if (asked.kind === "network") return "url";
  return pathsOf(asked) === undefined ? "arguments" : "path";
}

/** Whether the pattern allows this call. What cannot be read for certain, it does not. */
export function matchesPattern({ tool, rest }: Pattern, asked: Asked): boolean {
  if (tool !== asked.name) return false;
  switch (shapeOf(asked)) {
    case "words": {
      const pattern = readWordPattern(rest ?? "*");
      const command = commandOf(asked);
      return pattern !== undefined && command !== undefined && matchesWords(pattern, command);
    }
    case "path": {
      const pattern = readPathPattern(rest ?? "**");
      return pattern !== undefined && (pathsOf(asked) ?? []).every((path) => matchesPath(pattern, path));
    }
    case "url": {
      if (rest === null || rest === "*") return true;
      const pattern = readUrlPattern(rest);
      const { url } = asked.arguments;
      return pattern !== undefined && typeof url === "string" && matchesUrl(pattern, url);
    }
    case "arguments":
      return rest === null || rest === "*" || argumentsOf(rest) === canonicalJson(asked.arguments);
  }
}

/** Arguments beside the command that do not change what it does. Any other could, and nobody was asked about it. */
const BESIDE = new Set(["command", "description", "timeout_ms", "timeout_s", "timeout"]);

/** The command line of a shell call; undefined when its arguments say more than a pattern can see. */
export function commandOf({ arguments: args }: Asked): string | undefined {
  const { command } = args;
  if (typeof command !== "string") return undefined;
  const all = Object.entries(args).every(
    ([name, value]) => BESIDE.has(name) || value === undefined || (name === "cwd" && value === "."),
  );
  return all ? command : undefined;
}

/** The paths that a call names; undefined for a tool without any. A path left out is the workspace. */
export function pathsOf({ kind, paths, arguments: args }: Asked): readonly string[] | undefined {
  const names = paths ?? (kind === "file_edit" ? ["path"] : []);
  if (names.length === 0) return undefined;
  // What is no text is no path of the workspace.
  return names.map((name) => {
    const value = args[name] ?? ".";
    return typeof value === "string" ? value : "..";
  });
}

function argumentsOf(rest: string): string | undefined {
  try {
    const value: unknown = JSON.parse(rest);
    return isRecord(value) && isShallow(value) ? canonicalJson(value) : undefined;
  } catch {
    return undefined;
  }
}

function bad(error: string): ReadPattern {
  return { ok: false, error };
}
