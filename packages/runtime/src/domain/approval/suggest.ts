import { canonicalJson } from "../canonical.ts";
import { SHELLS } from "../policy/shell/unwrap.ts";
import {
  commandOf,
  matchesPattern,
  parsePattern,
  type Pattern,
  pathsOf,
  printPattern,
  shapeOf,
} from "./pattern.ts";
import { plainWords, quotedWord } from "./plain-command.ts";
import type { Asked } from "./types.ts";
import { readWordPattern } from "./word-pattern.ts";

/**
 * Commands whose further words only say what is shown. All others are suggested word for word: `go vet -vettool`,
 * `cargo --config` and `npm test --script-shell` run whatever follows.
 */
const OPEN_ENDED = new Set(["git status"]);

/**
 * A narrow pattern that allows this very call, for a person to edit; undefined when no pattern can. `see` gives what is
 * left of arguments once secrets are taken out: a pattern must not bring them back into the log.
 */
export function suggestPattern(
  asked: Asked,
  see: (args: Asked["arguments"]) => Asked["arguments"] = (args) => args,
): string | undefined {
  const rest = restFor(asked, see);
  if (rest === undefined) return undefined;
  const text = printPattern({ tool: asked.name, rest });
  const read = parsePattern(text);
  return read.ok && matchesPattern(read.pattern, asked) ? text : undefined;
}

function restFor(asked: Asked, see: (args: Asked["arguments"]) => Asked["arguments"]): string | undefined {
  switch (shapeOf(asked)) {
    case "words":
      return wordsFor(commandOf(asked));
    case "path": {
      const paths = new Set(pathsOf(asked));
      const [path] = paths;
      return paths.size === 1 && !path?.includes("*") ? path : undefined;
    }
    case "url": {
      const { url } = asked.arguments;
      const parsed = typeof url === "string" ? URL.parse(url) : null;
      return parsed === null ? undefined : `${parsed.origin}/*`;
    }
    case "arguments": {
      const text = canonicalJson(asked.arguments);
      return canonicalJson(see(asked.arguments)) === text ? text : undefined;
    }
  }
}

function wordsFor(command: string | undefined): string | undefined {
  const words = command === undefined ? undefined : plainWords(command);
  if (words === undefined || words.some(({ glob }) => glob)) return undefined;
  const texts = words.map(({ text }) => text);
  const start = texts.slice(0, 2).join(" ");
  if (OPEN_ENDED.has(start)) return `${start}*`;
  const quoted = texts.map(quotedWord);
  return quoted.includes(undefined) ? undefined : quoted.join(" ");
}

/** Programs that run whatever their words say. */
const RUNS_ANYTHING = new Set([
  ...SHELLS,
  ..."sudo doas su env xargs eval exec source . command nohup time timeout ssh find parallel npx bunx".split(
    " ",
  ),
  ..."python python3 node deno bun ruby perl php lua awk sed docker kubectl make rm dd curl wget".split(" "),
]);

/** Why a pattern allows more than it may seem to; undefined when it does not. Such a pattern is never suggested. */
export function patternRisk({ tool, rest }: Pattern, shell = tool === "shell"): string | undefined {
  if (shell) {
    const read = readWordPattern(rest ?? "*");
    if (read === undefined || !read.open) return undefined;
    const [first = "", ...more] = read.words;
    if (more.length === 0) return "It allows many programs, whatever their words are.";
    if (more[0] === "") return `It allows ${first} with any words.`;
    return RUNS_ANYTHING.has(first) ? `With other words, ${first} can do almost anything.` : undefined;
  }
  const all = rest === null || rest === "*" || rest === "**";
  return all ? `It allows all that ${tool} can do.` : undefined;
}
