import { waitingOf } from "@fairlead/contract/view";
import { useEffect, useMemo, useState } from "react";
import { problemOf } from "../lib/api.ts";
import { Keeping } from "../lib/kept.ts";
import { usePlace } from "../lib/router.tsx";
import { useStore, useStorePart } from "../lib/store.ts";
import { createSessionFeed, type SessionFeed } from "../state/session-feed.ts";
import { debugTier } from "../state/settings.ts";
import { useMay } from "../state/me.ts";
import { Announcer } from "../timeline/announcer.tsx";
import { TimelineView } from "../timeline/timeline.tsx";
import { Guarded } from "../ui/guarded.tsx";
import { NotHere } from "../ui/not-here.tsx";
import { Empty } from "../ui/parts.tsx";
import { ConnectionHint } from "../ui/connection-hint.tsx";
import { useTitle } from "../lib/title.ts";
import { FailedBar } from "./again.tsx";
import { AskedBelow } from "./asked-below.tsx";
import { Composer } from "./composer.tsx";
import { SessionHead } from "./head.tsx";
import { useDetail } from "../panels/detail.ts";
import { Panels } from "../panels/panels.tsx";
import { useSeen } from "./seen.ts";

export function SessionPage({ id }: { readonly id: string }) {
  const feed = useFeed(id);
  // What somebody opened or began to write is there again when its row is, or its panel.
  const kept = useMemo(() => new Map<string, unknown>(), [id]);
  return feed === null ? null : (
    <Keeping value={kept}>
      <Opened key={id} feed={feed} id={id} />
    </Keeping>
  );
}

function useFeed(id: string): SessionFeed | null {
  const [feed, setFeed] = useState<SessionFeed | null>(null);
  useEffect(() => {
    const made = createSessionFeed(id);
    setFeed(made);
    return () => made.close();
  }, [id]);
  return feed;
}

function Opened({ feed, id }: { readonly feed: SessionFeed; readonly id: string }) {
  const error = useStorePart(feed, (value) => value.error);
  const connection = useStorePart(feed, (value) => value.connection);
  const ready = useStorePart(feed, (value) => value.ready);
  const empty = useStorePart(
    feed,
    ({ ready: loaded, window: { entries } }) => loaded && entries.every(({ tier }) => tier === "debug"),
  );
  const kind = useStorePart(feed, ({ summary }) => summary.state.kind ?? "chat");
  const status = useStorePart(feed, ({ summary }) => summary.state.status ?? "idle");
  const open = useStorePart(feed, ({ summary }) => summary.turn !== null);
  const failed = useStorePart(feed, ({ summary }) => summary.lastTurn === "failed");
  const resumable = useStorePart(
    feed,
    ({ summary }) => summary.pausing !== null || waitingOf(summary) !== null,
  );
  const title = useStorePart(feed, ({ summary }) => summary.state.title ?? null);
  const detail = useDetail(feed, id);
  const debug = useStore(debugTier);
  const maySay = useMay("operator");
  const [panels, setPanels] = useState(() => matchMedia("(min-width: 72rem)").matches);
  const focus = Number(usePlace().search.get("seq") ?? NaN);
  const [shownSeq] = useState(Number.isSafeInteger(focus) ? focus : null);
  useTitle(title ?? "Session");
  useSeen(feed, id);
  useEffect(() => {
    if (ready && shownSeq !== null && feed.frameAt(shownSeq) === undefined) void feed.toSeq(shownSeq);
  }, [ready, shownSeq, feed]);

  if (error !== null)
    return (
      <div className="page">
        <NotHere title="This session cannot be shown" problem={problemOf(error)} />
      </div>
    );
  return (
    <div className={panels ? "session with-panels" : "session"}>
      <div className="session-main">
        <SessionHead
          feed={feed}
          id={id}
          detail={detail}
          panels={panels}
          onPanels={() => setPanels(!panels)}
        />
        <ConnectionHint connection={connection} />
        <Guarded what="list of questions" of={feed}>
          <AskedBelow feed={feed} />
        </Guarded>
        {empty && !debug ? (
          <div className="timeline-box">
            <Empty icon="send" title="Nothing has been said yet">
              <p>
                Say below what should be done. Everything that happens then is recorded, and shown here as it
                does.
              </p>
            </Empty>
          </div>
        ) : (
          <Guarded what="timeline" of={debug}>
            <TimelineView feed={feed} sessionId={id} debug={debug} focus={shownSeq} />
          </Guarded>
        )}
        <Announcer feed={feed} />
        {maySay && kind === "chat" && failed ? <FailedBar sessionId={id} /> : null}
        {maySay && kind !== "supervised" ? (
          <Composer sessionId={id} standing={{ kind, status, open, resumable }} connection={connection} />
        ) : null}
      </div>
      {panels ? (
        <Guarded what="part of the page" of={detail}>
          <Panels feed={feed} id={id} detail={detail} onClose={() => setPanels(false)} />
        </Guarded>
      ) : null}
    </div>
  );
}
