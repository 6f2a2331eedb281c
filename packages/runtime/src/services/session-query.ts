import type { SessionKind, SessionSort } from "@fairlead/contract";
import type { Actor } from "../domain/actor.ts";
import { SESSION_MARKS, sessionWords } from "../domain/session-marks.ts";
import type { RowOrder, RowQuery, RowTest } from "../ports/row-query.ts";
import { needing } from "./inbox-walks.ts";
import type { Sessions } from "./types.ts";

const SUBAGENT: SessionKind = "subagent";
const MOST_WORDS = 10;

/** By time, where nothing is said here. */
const ORDERS: Readonly<Record<SessionSort, RowOrder | undefined>> = {
  updated: undefined,
  created: { mark: SESSION_MARKS.created },
  cost: { mark: SESSION_MARKS.cost },
  health: { mark: SESSION_MARKS.need },
};

/** Lists find a session by what it is shown as: one that is idle may be shown as its last turn ended. */
function shownAs(status: readonly string[] | undefined): readonly string[] | undefined {
  return status?.includes("idle") === true ? [...new Set([...status, "completed", "failed"])] : status;
}

/** What rows of sessions are asked for by. */
export function sessionQuery(
  actor: Actor,
  query: Parameters<Sessions["list"]>[1],
): Pick<RowQuery, "state" | "where" | "beside" | "order"> {
  const { status, kind, include, engine, needs, search = "", sort = "updated" } = query;
  const words = sessionWords(search.split(/\s+/).filter(Boolean).slice(0, MOST_WORDS));
  const order = ORDERS[sort];
  // First what needs no document to be read.
  const where: RowTest[] = words.length > 0 ? [{ words, mark: SESSION_MARKS.text }] : [];
  const below = include === "subagents" ? [SUBAGENT] : [];
  if (kind !== undefined) where.push({ field: ["kind"], in: [kind, ...below] });
  // They are many, and are found with the session that delegated to them.
  else if (below.length === 0) where.push({ field: ["kind"], not: [SUBAGENT] });
  if (engine !== undefined) where.push({ field: ["state", "engine"], in: [engine] });
  if (status?.includes("idle") === true) where.push({ field: ["status"], in: status });
  return {
    state: shownAs(status),
    where,
    ...(needs === "me" ? { beside: needing(actor.name) } : {}),
    ...(order === undefined ? {} : { order }),
  };
}
