import type { Meter } from "../meter.ts";
import { spend } from "../meter.ts";
import { STOP } from "./scan.ts";
import type { Simple, Word } from "./tree.ts";
import { isAssignment } from "./unwrap.ts";

/** The variables that a text sets, as far as it says to what. */
export type Variables = Map<string, string>;

const VARIABLE = new RegExp(`\\$([A-Za-z_][A-Za-z0-9_]*)${STOP}?|${STOP}`, "g");
const ASSIGNMENT = /^([A-Za-z_][A-Za-z0-9_]*)(\+?)=(.*)$/s;
/** Programs whose words may be assignments. */
const ASSIGNS = new Set(["export", "declare", "typeset", "local", "readonly"]);
const SETS_FOR = new Set([...ASSIGNS, "env", "sudo", "doas"]);
/** Variables whose value some program runs as a command. */
const RUN =
  /^(GIT_(SSH(_COMMAND)?|EDITOR|PAGER|SEQUENCE_EDITOR|EXTERNAL_DIFF|ASKPASS|PROXY_COMMAND)|SSH_ASKPASS|(MAN|SYSTEMD_|AWS_)?PAGER|EDITOR|VISUAL|BROWSER|PROMPT_COMMAND|LESSOPEN|LESSCLOSE|RSYNC_RSH|CVS_RSH|FZF_DEFAULT_COMMAND)$/;

/** The command with the variables filled in that were set before it. What is not known stays as it is written. */
export function settle(variables: Variables, meter: Meter, simple: Simple): Simple {
  const fill = (text: string): string => filled(variables, meter, text);
  return {
    ...simple,
    words: simple.words.flatMap((word) => fillWord(word, fill)),
    redirects: simple.redirects.map(fill),
    stdin: simple.stdin.map(fill),
  };
}

function fillWord(word: Word, fill: (text: string) => string): Word[] {
  const text = fill(word.text);
  if (text === word.text || word.quoted || isAssignment(text)) return [{ ...word, text }];
  return text.split(/\s+/).flatMap((part) => (part === "" ? [] : [{ ...word, text: part }]));
}

function filled(variables: Variables, meter: Meter, text: string): string {
  if (!text.includes("$") && !text.includes(STOP)) return text;
  return text.replaceAll(VARIABLE, (_, name: string | undefined) => {
    if (name === undefined) return "";
    const value = variables.get(name);
    return value === undefined || !spend(meter, "made", value.length) ? `$${name}` : value;
  });
}

/** Remembers what the command sets, and gives the values that may be paths. `input` is what it reads. */
export function assign(variables: Variables, meter: Meter, simple: Simple, input: string): string[] {
  const words = simple.words.map(({ text }) => text);
  const leading = words.slice(0, words.findIndex((word) => !isAssignment(word)) >>> 0);
  const [name = "", ...rest] = words.slice(leading.length);
  const lasting = ASSIGNS.has(name) ? rest : name === "" ? leading : [];
  for (const word of lasting) {
    const [, variable, more, value = ""] = ASSIGNMENT.exec(word) ?? [];
    if (variable !== undefined)
      set(variables, meter, variable, `${more === "+" ? (variables.get(variable) ?? "") : ""}${value}`);
  }
  if (name === "for" && rest[0] !== undefined) set(variables, meter, rest[0], rest.slice(2).join(" "));
  const read = name === "read" ? rest.at(-1) : undefined;
  if (read !== undefined && input !== "") set(variables, meter, read, input.trim());
  return [...leading, ...(ASSIGNS.has(name) ? rest : [])].flatMap((word) => {
    const value = ASSIGNMENT.exec(word)?.[3] ?? "";
    return /^[~.]|\//.test(value) ? [value] : [];
  });
}

/** What only running a command can tell is not known. */
function set(variables: Variables, meter: Meter, name: string, value: string): void {
  if (value.includes("$(") || !spend(meter, "made", value.length)) variables.delete(name);
  else variables.set(name, value);
}

/** Commands that stand in variables which programs run: `GIT_SSH_COMMAND=…`. */
export function commandsIn({ words }: Simple): string[] {
  const from = words.findIndex(({ text }) => !isAssignment(text)) >>> 0;
  const setter = SETS_FOR.has(words[from]?.text ?? "");
  return words.flatMap(({ text }, i) => {
    const [, name = "", , value = ""] = i < from || setter ? (ASSIGNMENT.exec(text) ?? []) : [];
    return RUN.test(name) && value !== "" ? [value] : [];
  });
}
