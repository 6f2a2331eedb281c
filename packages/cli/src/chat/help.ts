import { KEY_HELP } from "./keys.ts";
import { SLASH_COMMANDS } from "./slash.ts";
import { BLANK, type Line, line, span } from "./span.ts";
import { wrap } from "./wrap.ts";

/** Commands and keys; on a narrow screen, what each does goes below it. */
export function helpLines(width: number): Line[] {
  const commands = SLASH_COMMANDS.map(
    ({ name, takes, about }) => [`/${name} ${takes}`.trim(), about] as const,
  );
  return [
    line("Commands", "bold"),
    ...columns(commands, width),
    BLANK,
    line("Keys", "bold"),
    ...columns(KEY_HELP, width),
    BLANK,
    line("A question", "bold"),
    ...columns(
      [
        ["y", "yes, this call"],
        ["n", "no, and why"],
        ["e", "yes, with other arguments"],
        ["s", "yes, further: turn, session or pattern"],
        ["a", "an answer, where more than a yes is asked for"],
        ["d", "all there is to see"],
      ],
      width,
    ),
  ];
}

const NARROW = 60;

export function columns(rows: readonly (readonly [string, string])[], width: number): Line[] {
  if (width < NARROW)
    return rows.flatMap(([name, about]) => [
      line(`  ${name}`, "cyan"),
      ...wrap([span(about)], width, { first: [span("    ")] }),
    ]);
  const wide = Math.max(...rows.map(([name]) => name.length)) + 2;
  return rows.flatMap(([name, about]) =>
    wrap([span(about)], width, {
      first: [span(`  ${name.padEnd(wide)}`, "cyan")],
      rest: [span(" ".repeat(wide + 2))],
    }),
  );
}
