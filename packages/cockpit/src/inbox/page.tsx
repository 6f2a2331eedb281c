import { type InboxEntry, type InboxGroup, INBOX_GROUPS } from "@fairlead/contract/inbox";
import { useEffect, useState } from "react";
import { call } from "../lib/api.ts";
import { useKeys } from "../lib/keys.ts";
import { navigate, pathOf } from "../lib/router.tsx";
import { useStore } from "../lib/store.ts";
import { useTitle } from "../lib/title.ts";
import { openPalette } from "../shell/palette-state.ts";
import { inbox, refreshInbox } from "../state/inbox.ts";
import { me, useMay } from "../state/me.ts";
import { ConnectionHint } from "../ui/connection-hint.tsx";
import { QuickDecision } from "./quick.tsx";
import { InboxRow } from "./row.tsx";
import { FirstRun } from "./first-run.tsx";
import { NotifyButton } from "./notify-button.tsx";
import { Tour } from "./tour.tsx";

const TITLES: Readonly<Record<InboxGroup, string>> = {
  needs_input: "Needs your input",
  needs_review: "Failed or needs review",
  done: "Done, not yet seen",
  working: "Working",
  idle: "Idle",
};

export function InboxPage() {
  const state = useStore(inbox);
  const who = useStore(me);
  const mayDecide = useMay("operator");
  const entries = state.inbox?.entries ?? [];
  const [chosen, setChosen] = useState<string | null>(null);
  const [quick, setQuick] = useState<{ key: string; mode: "approve" | "deny" } | null>(null);
  useTitle("Inbox");

  const index = entries.findIndex(({ key }) => key === chosen);
  const current = entries[index];
  const move = (by: number): void => {
    const next = entries[Math.max(0, Math.min(entries.length - 1, index + by))];
    if (next !== undefined) setChosen(next.key);
  };
  const decide = (mode: "approve" | "deny"): void => {
    if (current?.request_id != null && mayDecide) setQuick({ key: current.key, mode });
  };
  useKeys({
    j: () => move(1),
    k: () => move(-1),
    a: () => decide("approve"),
    d: () => decide("deny"),
    e: () => current?.request_id != null && navigate(pathOf("question", { id: current.request_id })),
    s: () => current !== undefined && void seen(current),
    "/": openPalette,
  });
  useEffect(() => {
    if (chosen === null) return;
    document.querySelector(`[data-key="${CSS.escape(chosen)}"] a`)?.scrollIntoView({ block: "nearest" });
    document.querySelector<HTMLElement>(`[data-key="${CSS.escape(chosen)}"] a`)?.focus();
  }, [chosen]);

  if (state.inbox === null) return <ConnectionHint connection={state.connection} />;
  const { counts } = state.inbox;
  const nothing = entries.length === 0;
  return (
    <>
      <ConnectionHint connection={state.connection} />
      <div className="page">
        <header className="page-head">
          <h1>{counts.needs_input + counts.needs_review > 0 ? "What needs you now" : "Nothing needs you"}</h1>
          <span className="grow" />
          <NotifyButton />
        </header>
        {nothing ? <FirstRun name={who?.name ?? ""} /> : <Tour />}
        {INBOX_GROUPS.map((group) => {
          const inside = entries.filter((entry) => entry.group === group);
          if (inside.length === 0) return null;
          return (
            <section key={group} className="group" aria-labelledby={`group-${group}`}>
              <h2 id={`group-${group}`}>
                {TITLES[group]} <span className="dim num">{counts[group]}</span>
              </h2>
              <ul role="list" className="card rows">
                {inside.map((entry) => (
                  <li key={entry.key} data-key={entry.key} className={entry.key === chosen ? "chosen" : ""}>
                    <InboxRow
                      entry={entry}
                      onFocus={() => setChosen(entry.key)}
                      onSeen={() => void seen(entry)}
                    />
                    {quick?.key === entry.key && entry.request_id !== null ? (
                      <QuickDecision id={entry.request_id} mode={quick.mode} onDone={() => setQuick(null)} />
                    ) : null}
                  </li>
                ))}
              </ul>
            </section>
          );
        })}
        {nothing ? null : <Legend />}
      </div>
    </>
  );
}

async function seen(entry: InboxEntry): Promise<void> {
  await call("markSeen", { params: { id: entry.session_id }, body: { upto_seq: entry.seq } }).catch(() => {});
  refreshInbox();
}

function Legend() {
  return (
    <p className="legend dim tiny wide-only">
      <kbd>j</kbd> <kbd>k</kbd> move · <kbd>Enter</kbd> open · <kbd>a</kbd> approve · <kbd>d</kbd> deny ·{" "}
      <kbd>e</kbd> edit · <kbd>s</kbd> seen · <kbd>/</kbd> search · <kbd>Ctrl</kbd> <kbd>K</kbd> commands
    </p>
  );
}
