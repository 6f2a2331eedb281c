import type { SessionKind, SessionSort } from "@fairlead/contract";
import type { Actor } from "../domain/actor.ts";
import type { Field, RowOrder, RowQuery, RowTest } from "../ports/row-query.ts";
import { needing } from "./inbox-walks.ts";
import type { Sessions } from "./types.ts";

const SUBAGENT: SessionKind = "subagent";
const MOST_WORDS = 10;

/** What a search looks at: all that a list shows of a session. */
const NAMED: readonly Field[] = [
  ["title"],
  ["session_id"],
  ["aliases"],
  ["kind"],
  ["created_by"],
  ["state", "model"],
  ["state", "engine"],
  ["state", "agent_profile"],
  ["state", "workspace_source"],
];

/** By time, where nothing is said here. */
const ORDERS: Readonly<Record<SessionSort, RowOrder | undefined>> = {
  updated: undefined,
  created: { field: ["created_at"], otherwise: "" },
  cost: { field: ["state", "cost_usd"], of: "health", otherwise: 0 },
  health: { field: ["score"], of: "health", otherwise: 100, ascending: true },
};

/** What rows of sessions are asked for by. */
export function sessionQuery(
  actor: Actor,
  query: Parameters<Sessions["list"]>[1],
): Pick<RowQuery, "where" | "beside" | "order"> {
  const { kind, include, engine, needs, search = "", sort = "updated" } = query;
  const words = search.split(/\s+/).filter(Boolean).slice(0, MOST_WORDS);
  const order = ORDERS[sort];
  const where: RowTest[] = [];
  const below = include === "subagents" ? [SUBAGENT] : [];
  if (kind !== undefined) where.push({ field: ["kind"], in: [kind, ...below] });
  // They are many, and are found with the session that delegated to them.
  else if (below.length === 0) where.push({ field: ["kind"], not: [SUBAGENT] });
  if (engine !== undefined) where.push({ field: ["state", "engine"], in: [engine] });
  if (words.length > 0) where.push({ words, of: NAMED });
  return {
    where,
    ...(needs === "me" ? { beside: needing(actor.name) } : {}),
    ...(order === undefined ? {} : { order }),
  };
}
