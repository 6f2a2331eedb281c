import type { Problem, SourceText } from "@fairlead/runtime/policy";
import type { Output } from "../output.ts";
import { printable } from "../text.ts";

const BEFORE = 40;

/** A problem with the line it is in, and a mark below the place. */
export function showProblem(out: Output, problem: Problem, texts: readonly SourceText[]): string {
  const { file, line, column, code, message, hint } = problem;
  const source = texts.find(({ path }) => path === file)?.text.split("\n")[line - 1];
  const head = `${out.bold(`${file}:${line}:${column}`)} ${printable(message)} ${out.dim(`(${code})`)}`;
  const shown = source === undefined ? [] : marked(out, source, line, column);
  return [head, ...shown, `  ${hint}`].join("\n");
}

function marked(out: Output, source: string, line: number, column: number): string[] {
  const width = Math.max(20, out.columns - 12);
  // A long line is shown from a little before the place.
  const from = column > width ? column - 1 - BEFORE : 0;
  const text = printable(source.slice(from, from + width)).replaceAll("\t", " ");
  const number = String(line);
  return [
    `${out.dim(`${number.padStart(5)} |`)} ${text}`,
    `${out.dim(`${" ".repeat(5)} |`)} ${" ".repeat(Math.max(0, column - 1 - from))}${out.paint("red", "^")}`,
  ];
}
