import { type Line, line, span } from "./span.ts";
import { wrap } from "./wrap.ts";

/** The first thing to see. */
export function greeting(version: string, where: string, width: number): Line[] {
  return [
    [span("Fairlead", "bold"), span(` ${version}`, "dim")],
    ...wrap([span(`${where} · /help lists commands and keys · Ctrl-D leaves`, "dim")], width),
  ];
}

export function resumed(
  row: { readonly session_id: string; readonly title: string | null },
  turns: number,
  width: number,
): Line[] {
  const earlier = turns === 0 ? "" : ` · ${turns} earlier ${turns === 1 ? "turn is" : "turns are"} not shown`;
  return wrap(
    [
      span("↻ ", "cyan"),
      span(row.title ?? "untitled", "bold"),
      span(` · …${row.session_id.slice(-6)}${earlier}`, "dim"),
    ],
    width,
  );
}

/** What becomes of a turn that is left: one of this process waits for the next. */
const OPEN = {
  there: "The turn goes on without you.",
  here: "The turn goes on when the session is opened again.",
};

export function parting(session: string | null, self: string, open: "here" | "there" | null): Line[] {
  if (session === null) return [];
  return [
    ...(open === null ? [] : [line(OPEN[open], "dim")]),
    line(`Go on: ${self} chat --session ${session}`, "dim"),
  ];
}
