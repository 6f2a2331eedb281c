import { type InboxGroup, INBOX_GROUPS } from "@fairlead/contract/inbox";
import { useEffect, useState } from "react";
import { useKeys } from "../lib/keys.ts";
import { Link, pathOf } from "../lib/router.tsx";
import { useStore } from "../lib/store.ts";
import { useTitle } from "../lib/title.ts";
import { inbox } from "../state/inbox.ts";
import { me, useMay } from "../state/me.ts";
import { ConnectionHint } from "../ui/connection-hint.tsx";
import { ProblemNote } from "../ui/parts.tsx";
import { ReadingHint } from "../ui/reading-hint.tsx";
import { markSeen } from "./actions.tsx";
import { useWhole } from "./more.ts";
import { type Begin, QuickDecision } from "./quick.tsx";
import { InboxRow } from "./row.tsx";
import { focusRow, nextKey } from "./focus.ts";
import { useHeld } from "./held.ts";
import { FirstRun } from "./first-run.tsx";
import { NotifyButton } from "./notify-button.tsx";
import { SeenAll } from "./seen-all.tsx";
import { Tour } from "./tour.tsx";

const TITLES: Readonly<Record<InboxGroup, string>> = {
  needs_input: "Needs your input",
  needs_review: "Failed or needs review",
  done: "Done, not yet seen",
  working: "Working",
  idle: "Idle",
};

/** For who may only look: nobody waits for them. */
const LOOKED_AT: typeof TITLES = { ...TITLES, needs_input: "Waits for an operator" };

function headingOf(mayDecide: boolean, count: number): string {
  if (!mayDecide) return "What goes on";
  return count > 0 ? "What needs you now" : "Nothing needs you";
}

export function InboxPage() {
  const state = useStore(inbox);
  const who = useStore(me);
  const mayDecide = useMay("operator");
  const { entries: listed, hasMore, showMore, problem } = useWhole(state.inbox);
  const [chosen, setChosen] = useState<string | null>(null);
  const [quick, setQuick] = useState<{ key: string; mode: Begin } | null>(null);
  const { entries, gone } = useHeld(listed, quick?.key ?? null);
  useTitle("Inbox");

  const index = entries.findIndex(({ key }) => key === chosen);
  const current = entries[index];
  const move = (by: number): void => {
    const next = entries[Math.max(0, Math.min(entries.length - 1, index + by))];
    if (next !== undefined) setChosen(next.key);
  };
  const decide = (mode: Begin): void => {
    if (current?.request_id != null && mayDecide) setQuick({ key: current.key, mode });
  };
  const keys = entries.map(({ key }) => key);
  const close = (from: string, to: string | null): void => {
    // While what has the focus is still there.
    focusRow(from, to);
    setQuick(null);
  };
  useKeys({
    j: () => move(1),
    k: () => move(-1),
    a: () => decide("approve"),
    d: () => decide("deny"),
    e: () => decide("edit"),
    ...(quick === null ? {} : { Escape: () => close(quick.key, quick.key) }),
    s: () => current !== undefined && void markSeen(current).catch(() => {}),
  });
  useEffect(() => {
    if (chosen === null) return;
    document.querySelector(`[data-key="${CSS.escape(chosen)}"] a`)?.scrollIntoView({ block: "nearest" });
    document.querySelector<HTMLElement>(`[data-key="${CSS.escape(chosen)}"] a`)?.focus();
  }, [chosen]);

  if (state.inbox === null)
    return (
      <>
        <ConnectionHint connection={state.connection} />
        <div className="page">
          <ReadingHint what="the inbox" />
        </div>
      </>
    );
  const { counts } = state.inbox;
  const nothing = entries.length === 0;
  return (
    <>
      <ConnectionHint connection={state.connection} />
      <div className="page">
        <header className="page-head">
          <h1>{headingOf(mayDecide, counts.needs_input + counts.needs_review)}</h1>
          <span className="grow" />
          <NotifyButton />
        </header>
        {problem === null ? null : <ProblemNote problem={problem} />}
        {nothing ? <FirstRun name={who?.name ?? ""} /> : <Tour />}
        {INBOX_GROUPS.map((group) => {
          const inside = entries.filter((entry) => entry.group === group);
          if (inside.length === 0) return null;
          return (
            <section key={group} className="group" aria-labelledby={`group-${group}`}>
              <h2 id={`group-${group}`}>
                {(mayDecide ? TITLES : LOOKED_AT)[group]} <span className="dim num">{counts[group]}</span>
              </h2>
              {group === "done" && counts.done > 1 ? <SeenAll group={group} /> : null}
              <ul role="list" className="card rows">
                {inside.map((entry) => (
                  <li key={entry.key} data-key={entry.key} className={entry.key === chosen ? "chosen" : ""}>
                    <InboxRow
                      entry={entry}
                      onFocus={() => setChosen(entry.key)}
                      onDecide={
                        quick?.key === entry.key ? undefined : (mode) => setQuick({ key: entry.key, mode })
                      }
                    />
                    {quick?.key === entry.key && entry.request_id !== null ? (
                      <QuickDecision
                        id={entry.request_id}
                        mode={quick.mode}
                        gone={gone}
                        onDecided={() => close(entry.key, nextKey(keys, entry.key))}
                        onClose={() => close(entry.key, entry.key)}
                      />
                    ) : null}
                  </li>
                ))}
              </ul>
              {hasMore(group) ? (
                <p className="more">
                  {group === "idle" ? (
                    <Link href={pathOf("sessions")} className="button">
                      See all sessions
                    </Link>
                  ) : (
                    <button type="button" className="button" onClick={() => showMore(group)}>
                      Show more
                    </button>
                  )}
                </p>
              ) : null}
            </section>
          );
        })}
        {nothing ? null : <Legend />}
      </div>
    </>
  );
}

function Legend() {
  return (
    <p className="legend dim tiny wide-only">
      <kbd>j</kbd> <kbd>k</kbd> move · <kbd>Enter</kbd> open · <kbd>a</kbd> approve · <kbd>d</kbd> deny ·{" "}
      <kbd>e</kbd> edit · <kbd>s</kbd> seen · <kbd>/</kbd> search · <kbd>?</kbd> all keys
    </p>
  );
}
