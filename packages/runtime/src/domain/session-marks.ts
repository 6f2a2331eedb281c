import type { SessionRow } from "@fairlead/contract";
import type { Mark } from "../ports/projection.ts";
import { folded } from "./folded.ts";

/** What lists of sessions are sorted and searched by. Cost and score are marks of the health row, which has the same id. */
export const SESSION_MARKS = {
  text: "session_text",
  created: "session_created",
  cost: "session_cost",
  need: "session_need",
} as const;

/** What a search looks at: all that a list shows of a session. */
function texts({ title, aliases, kind, created_by, state }: SessionRow): readonly unknown[] {
  const { model, engine, agent_profile, workspace_source } = state ?? {};
  return [title, ...(aliases ?? []), kind, created_by, model, engine, agent_profile, workspace_source];
}

const PRIVATE = 0xe000;

/** Ids are made of every letter and digit: spelled as no text is, they are found by their beginning and never by chance. */
function asId(id: string): string {
  let spelled = "";
  for (const character of id) spelled += String.fromCharCode(PRIVATE + character.charCodeAt(0));
  return spelled;
}

/** What to look for in that text. */
export function sessionWords(words: readonly string[]): readonly string[] {
  return words.map((word) => {
    const plain = folded(word);
    return plain.startsWith("ses_") && /^\w+$/.test(plain) ? asId(plain) : plain;
  });
}

export function sessionMarks(row: SessionRow): readonly Mark[] {
  const text = texts(row)
    .filter((one) => typeof one === "string")
    .map(folded)
    .concat(asId(row.session_id))
    .join(" | ");
  const { text: kind, created } = SESSION_MARKS;
  return [
    { kind, at: 0, text },
    { kind: created, at: Date.parse(row.created_at) },
  ];
}

/** Dollars in whole millionths, and what a score is short of its best: the worst come first. */
export function healthMarks(cost: number, score: number): readonly Mark[] {
  return [
    { kind: SESSION_MARKS.cost, at: Math.round(cost * 1e6) },
    { kind: SESSION_MARKS.need, at: Math.round((100 - score) * 1_000) },
  ];
}
