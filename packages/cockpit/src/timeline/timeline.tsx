import type { Entry } from "@fairlead/contract/view";
import { useVirtualizer } from "@tanstack/react-virtual";
import { useCallback, useEffect, useLayoutEffect, useMemo, useRef, useState } from "react";
import { useStore } from "../lib/store.ts";
import type { SessionFeed } from "../state/session-feed.ts";
import { Icon } from "../ui/icon.tsx";
import { useHeld } from "./held.ts";
import { RowFrame } from "./row-frame.tsx";

const ESTIMATE = 64;
/** So near to an edge, the next page is fetched. */
const EDGE = 600;

/** The rows of a session, only those that can be seen. It begins at the end and stays there while it is looked at. */
export function TimelineView(props: {
  readonly feed: SessionFeed;
  readonly sessionId: string;
  readonly debug: boolean;
  readonly focus: number | null;
}) {
  const { feed, sessionId, debug, focus } = props;
  const { window: range, loading, ready } = useStore(feed);
  const scroller = useRef<HTMLDivElement>(null);
  const [atEnd, setAtEnd] = useState(true);
  const rows = useMemo(
    () => (debug ? range.entries : range.entries.filter(({ tier }) => tier === "default")),
    [range.entries, debug],
  );

  const keyAt = useKeyAt(rows);
  const virtual = useVirtualizer({
    count: rows.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => ESTIMATE,
    getItemKey: keyAt,
    rangeExtractor: useHeld(scroller, keyAt),
    overscan: 6,
    paddingStart: 16,
    paddingEnd: 16,
    anchorTo: "end",
    followOnAppend: true,
    scrollEndThreshold: 80,
  });

  const look = useCallback(() => {
    const element = scroller.current;
    if (element === null) return;
    const below = element.scrollHeight - element.scrollTop - element.clientHeight;
    setAtEnd(below < 80);
    const { window: now, loading: busy } = feed.get();
    if (busy !== null) return;
    if (element.scrollTop < EDGE && now.low > 0) void feed.older();
    else if (below < EDGE && !now.live) void feed.newer();
  }, [feed]);

  // At the end when it opens, and whenever rows that are seen grow while it is there.
  const begun = useRef(false);
  useLayoutEffect(() => {
    if (begun.current || !ready || rows.length === 0) return;
    begun.current = true;
    if (focus === null) virtual.scrollToEnd();
  }, [ready, rows.length, focus, virtual]);
  // Not with each piece of a text: to look is to lay the page out.
  useEffect(look, [look, rows.length, range.low, range.live, loading]);
  useFocus(rows, focus, (index) => virtual.scrollToIndex(index, { align: "center" }));

  const whole = range.low <= 0 && range.live;
  const items = virtual.getVirtualItems();
  return (
    <div className="timeline-box">
      <div
        ref={scroller}
        className={debug ? "timeline debug" : "timeline"}
        onScroll={look}
        tabIndex={0}
        role="region"
        aria-label="Timeline"
      >
        <h2 className="hidden-text">Timeline</h2>
        <ol role="list" className="timeline-rows" style={{ height: virtual.getTotalSize() }}>
          {items.map((item) => {
            const entry = rows[item.index];
            return entry === undefined ? null : (
              <li
                key={entry.key}
                ref={virtual.measureElement}
                // Only some of the rows are there, and of a long session only some are known.
                aria-posinset={item.index + 1}
                aria-setsize={whole ? rows.length : -1}
                data-index={item.index}
                data-key={entry.key}
                data-seq={entry.seq}
                data-kind={entry.kind}
                className={entry.seq === focus ? "timeline-row focus" : "timeline-row"}
                style={{ transform: `translateY(${item.start}px)` }}
              >
                <RowFrame entry={entry} sessionId={sessionId} debug={debug} feed={feed} />
              </li>
            );
          })}
        </ol>
      </div>
      {loading === "older" ? <div className="timeline-loading small">Loading what was before …</div> : null}
      {atEnd && range.live ? null : (
        <button
          type="button"
          className="button to-end"
          onClick={() => {
            const shown = range.live ? Promise.resolve() : feed.toLive();
            void shown.then(() => virtual.scrollToEnd());
          }}
        >
          <Icon name="down" /> To the end
        </button>
      )}
    </div>
  );
}

/** The same function while the keys are the same: otherwise every row is measured anew with each piece of a text. */
function useKeyAt(rows: readonly Entry[]): (index: number) => string | number {
  const keys = useRef(keysOf(rows));
  if (!keys.current.fit(rows)) keys.current = keysOf(rows);
  return keys.current.at;
}

function keysOf(rows: readonly Entry[]) {
  return {
    at: (index: number): string | number => rows[index]?.key ?? index,
    fit: (now: readonly Entry[]): boolean =>
      now.length === rows.length && now.every(({ key }, index) => key === rows[index]?.key),
  };
}

/** Once, when the event that was asked for is there. */
function useFocus(rows: readonly Entry[], focus: number | null, show: (index: number) => void): void {
  const done = useRef<number | null>(null);
  useEffect(() => {
    if (focus === null || done.current === focus || rows.length === 0) return;
    const index = rows.findLastIndex(({ seq }) => seq <= focus);
    if (index < 0) return;
    done.current = focus;
    show(index);
  });
}
