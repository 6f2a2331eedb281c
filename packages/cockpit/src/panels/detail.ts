import type { RouteReply } from "@fairlead/contract";
import { useEffect, useState } from "react";
import { call } from "../lib/api.ts";
import { useStorePart } from "../lib/store.ts";
import type { SessionFeed } from "../state/session-feed.ts";

export interface Detail {
  readonly session: RouteReply<"getSession">;
  readonly chat: RouteReply<"getChatSession"> | null;
  readonly contextTokens: number | null;
}

const LIMIT = 50;

/** What the server folds of the whole session, asked for again whenever a turn begins, waits or ends. */
export function useDetail(feed: SessionFeed, id: string): Detail | null {
  const moved = useStorePart(
    feed,
    ({ summary }) => `${summary.state.status ?? ""} ${summary.turn?.id ?? ""} ${summary.turn?.parked ?? ""}`,
  );
  // After what is looked at first: for a long session the server has to look around for this.
  const ready = useStorePart(feed, (value) => value.ready);
  const [detail, setDetail] = useState<Detail | null>(null);
  useEffect(() => {
    if (!ready) return;
    let wanted = true;
    void load(id).then((found) => wanted && found !== null && setDetail(found));
    return () => void (wanted = false);
  }, [id, moved, ready]);
  return detail;
}

async function load(id: string): Promise<Detail | null> {
  const input = { params: { id }, query: { limit: LIMIT } };
  const [session, chat, models] = await Promise.all([
    call("getSession", input).catch(() => null),
    call("getChatSession", input).catch(() => null),
    call("listModels").catch(() => null),
  ]);
  if (session === null) return null;
  const model = models?.models.find(({ name, model: own }) =>
    [name, own].includes(session.state?.model ?? ""),
  );
  return { session, chat, contextTokens: model?.context_tokens ?? null };
}
