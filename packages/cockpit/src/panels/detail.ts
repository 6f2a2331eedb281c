import type { RouteReply } from "@fairlead/contract";
import { call } from "../lib/api.ts";
import { useAsked } from "../lib/asked.ts";
import { isFinal } from "../lib/patiently.ts";
import { useStorePart } from "../lib/store.ts";
import type { SessionFeed } from "../state/session-feed.ts";

export interface Detail {
  readonly session: RouteReply<"getSession">;
  readonly chat: RouteReply<"getChatSession"> | null;
  readonly contextTokens: number | null;
}

/** So many rows of a kind are asked for, the newest. */
const LIMIT = 50;

/** How many rows there are, as far as was asked. */
export function rowCount(rows: readonly unknown[]): string {
  return rows.length < LIMIT ? String(rows.length) : `the newest ${rows.length}`;
}

/** What the server folds of the whole session, asked for again whenever a turn begins, waits or ends. */
export function useDetail(feed: SessionFeed, id: string): Detail | null {
  const moved = useStorePart(
    feed,
    ({ summary }) => `${summary.state.status ?? ""} ${summary.turn?.id ?? ""} ${summary.turn?.parked ?? ""}`,
  );
  // After what is looked at first: for a long session the server has to look around for this.
  const ready = useStorePart(feed, (value) => value.ready);
  const { found } = useAsked(ready ? id : null, moved, (signal) => load(id, signal));
  return found?.of === id ? found.value : null;
}

/** Of a session that lacks a part, that part is null; what passes by itself is asked for again. */
function orNull(error: unknown): null {
  if (isFinal(error)) return null;
  throw error;
}

async function load(id: string, signal: AbortSignal): Promise<Detail> {
  const input = { params: { id }, query: { limit: LIMIT }, signal };
  const [session, chat, models] = await Promise.all([
    call("getSession", input),
    call("getChatSession", input).catch(orNull),
    call("listModels", { signal }).catch(orNull),
  ]);
  const model = models?.models.find(({ name, model: own }) =>
    [name, own].includes(session.state?.model ?? ""),
  );
  return { session, chat, contextTokens: model?.context_tokens ?? null };
}
