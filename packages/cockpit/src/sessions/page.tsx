import type { HealthyRow } from "@fairlead/contract";
import { shownStatus, wishedBy } from "@fairlead/contract/view";
import { useMemo } from "react";
import { call } from "../lib/api.ts";
import { usePaged } from "../lib/paged.ts";
import { Link, navigate, pathOf, usePlace } from "../lib/router.tsx";
import { useStore } from "../lib/store.ts";
import { useTitle } from "../lib/title.ts";
import { money } from "../session/numbers.ts";
import { FirstSteps } from "../start/first-steps.tsx";
import { inbox } from "../state/inbox.ts";
import { useMay } from "../state/me.ts";
import { Chip, PAUSING_SIGN, StatusChip } from "../ui/chip.tsx";
import { ConnectionHint } from "../ui/connection-hint.tsx";
import { Icon } from "../ui/icon.tsx";
import { Age, Copy, Empty, ProblemNote } from "../ui/parts.tsx";
import { ReadingHint } from "../ui/reading-hint.tsx";
import { Titled } from "../ui/titled.tsx";
import { Visible } from "../ui/visible.tsx";
import { arranged } from "./arrange.ts";
import { Filters } from "./filters.tsx";
import { isFiltered, queryOf, searchOf, wantedOf } from "./wanted.ts";

const HARNESS = "npm run fairlead -- harness";

export function SessionsPage() {
  useTitle("Sessions");
  const { search } = usePlace();
  const mayStart = useMay("operator");
  const wanted = useMemo(() => wantedOf(search), [search]);
  const { inbox: moved, connection } = useStore(inbox);
  const { rows, more, busy, load, problem } = usePaged(searchOf(wanted), moved, (page, signal) =>
    call("listSessions", { query: { ...queryOf(wanted), ...page }, signal }),
  );
  const shown = useMemo(() => arranged(rows ?? []), [rows]);
  const none = rows !== null && rows.length === 0 && !busy;
  return (
    <div className="page">
      <ConnectionHint connection={connection} />
      <header className="page-head">
        <h1 className="grow">Sessions</h1>
        {mayStart ? (
          <Link href={pathOf("start")} className="button primary">
            <Icon name="plus" /> New session
          </Link>
        ) : null}
      </header>
      <Filters
        wanted={wanted}
        onChange={(next) => navigate(`${pathOf("sessions")}${searchOf(next)}`, { replace: true })}
      />
      <p className="hidden-text" role="status">
        {rows === null || busy ? "" : `${rows.length}${more ? " or more" : ""} sessions listed`}
      </p>
      {problem === null ? null : <ProblemNote problem={problem} />}
      {rows === null && problem === null ? <ReadingHint what="the list" /> : null}
      {none && !isFiltered(wanted) ? (
        <Empty icon="list" title="No sessions yet">
          <p>Everything that was started is listed here, with its branches.</p>
          <FirstSteps />
          <p className="small dim">
            An agent of another make that asks us before it acts appears here like any other. This prints
            where it can ask:
          </p>
          <div className="row command">
            <code>{HARNESS}</code>
            <Copy text={HARNESS} />
          </div>
        </Empty>
      ) : null}
      {none && isFiltered(wanted) ? (
        <Empty icon="search" title="Nothing fits">
          <p>Search for less, or take a filter away.</p>
          <Link href={pathOf("sessions")} className="button">
            Show all sessions
          </Link>
        </Empty>
      ) : null}
      {shown.length === 0 ? null : (
        <ul role="list" className="card rows" aria-busy={busy}>
          {shown.map(({ row, depth }) => (
            <li key={row.session_id}>
              <SessionItem row={row} depth={depth} />
            </li>
          ))}
        </ul>
      )}
      {more ? (
        <p className="more">
          <button type="button" className="button" disabled={busy} onClick={load}>
            Show more
          </button>
        </p>
      ) : null}
    </div>
  );
}

function SessionItem({ row, depth }: { readonly row: HealthyRow; readonly depth: number }) {
  return (
    <Link
      href={pathOf("session", { id: row.session_id })}
      className="session-item"
      style={{ paddingInlineStart: `${0.75 + depth * 1.25}rem` }}
    >
      <span className="row">
        {depth > 0 ? (
          <span className="dim" title="Branched from the session above">
            <Icon name="branch" />
            <span className="hidden-text">Branch: </span>
          </span>
        ) : null}
        <strong className="ellipsis grow">
          <Titled text={row.title ?? "Untitled session"} />
        </strong>
        {row.pausing == null ? null : <Chip sign={PAUSING_SIGN} />}
        <StatusChip status={shownStatus(row.status, row.last_turn)} />
        <span className="dim tiny age">
          <Age at={row.updated_at} />
        </span>
      </span>
      <span className="dim tiny ellipsis">
        <Visible text={aboutOf(row)} />
      </span>
    </Link>
  );
}

function aboutOf(row: HealthyRow): string {
  const { usage } = row.health as { readonly usage?: { readonly cost_usd?: number } };
  const cost = usage?.cost_usd ?? 0;
  return [
    row.pausing == null ? undefined : `${wishedBy(row.pausing.actor)} wants it to pause`,
    row.kind,
    row.state?.model,
    cost > 0 ? money(cost) : undefined,
    row.health.score < 100 ? `health ${Math.round(row.health.score)}` : undefined,
    row.state?.workspace_source,
    row.created_by,
    row.aliases?.[0],
    row.session_id,
  ]
    .filter(Boolean)
    .join(" · ");
}
