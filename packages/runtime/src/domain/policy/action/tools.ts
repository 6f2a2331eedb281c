import { isRecord } from "../../is-record.ts";

/** Tools whose arguments are commands, whatever they call them. */
export const SHELL_TOOL =
  /(^|[^a-z])(ba|z|da|k|fi|pw)?sh($|[^a-z])|shell|terminal|exec|command|cmd|console|subprocess|(^|[^a-z])(run|system|process|popen|spawn)($|[^a-z])/i;

/** Tools whose arguments are code of a language. */
export const CODE_TOOL =
  /python|jupyter|notebook|interpreter|repl(?=$|[^a-z])|(?<=^|[^a-z])(node|deno|bun|javascript|js|ruby|perl|php|lua)(?=$|[^a-z])/i;

const PROGRAMS: Readonly<Record<string, string>> = {
  node: "node",
  deno: "deno",
  bun: "bun",
  javascript: "node",
  js: "node",
  ruby: "ruby",
  perl: "perl",
  php: "php",
  lua: "lua",
};

/** Code as the command that would run it. */
export function asCode(language: string, code: string): string {
  const program = Object.hasOwn(PROGRAMS, language) ? PROGRAMS[language] : "python3";
  return `${program} -c '${code.replaceAll("'", String.raw`'\''`)}'`;
}

/** All that a payload calls its tool, by the conventions that agents have. */
export function namesOf(payload: unknown): string[] {
  if (!isRecord(payload)) return [];
  const { tool_name, toolName, tool, name, function: called, function_call, tool_call } = payload;
  const inner = [tool, called, function_call, tool_call].map((value) =>
    isRecord(value)
      ? [value["name"], isRecord(value["function"]) ? value["function"]["name"] : undefined]
      : value,
  );
  return [tool_name, toolName, name, ...inner.flat()].filter(
    (value): value is string => typeof value === "string" && value !== "",
  );
}
