import { SESSION_STATUSES, type SessionRow } from "@fairlead/contract";
import { useCallback, useDeferredValue, useEffect, useMemo, useState } from "react";
import { call, type Problem, problemOf } from "../lib/api.ts";
import { Link, pathOf } from "../lib/router.tsx";
import { useStore } from "../lib/store.ts";
import { useTitle } from "../lib/title.ts";
import { inbox } from "../state/inbox.ts";
import { STATUS, StatusChip } from "../ui/chip.tsx";
import { Icon } from "../ui/icon.tsx";
import { Age, Empty, ProblemNote } from "../ui/parts.tsx";
import { type Pages, withFirst, withNext } from "./pages.ts";
import { arranged, SORTS, type Sort } from "./arrange.ts";
import { Visible } from "../ui/visible.tsx";

export function SessionsPage() {
  useTitle("Sessions");
  const { rows, more, load, problem } = useSessions();
  const [search, setSearch] = useState("");
  const [status, setStatus] = useState("");
  const [kind, setKind] = useState("");
  const [sort, setSort] = useState<Sort>("changed");
  const wanted = useDeferredValue(search);
  const shown = useMemo(
    () => arranged(rows ?? [], { search: wanted, status, kind, sort }),
    [rows, wanted, status, kind, sort],
  );
  const kinds = [...new Set((rows ?? []).map((row) => row.kind))].toSorted();
  return (
    <div className="page">
      <header className="page-head">
        <h1 className="grow">Sessions</h1>
        <Link href={pathOf("start")} className="button primary">
          <Icon name="plus" /> New session
        </Link>
      </header>
      <div className="filters" role="search">
        <input
          className="input"
          type="search"
          placeholder="Search by title, id, alias, model or person"
          aria-label="Search sessions"
          value={search}
          onChange={(event) => setSearch(event.target.value)}
        />
        <select
          className="input"
          aria-label="Status"
          value={status}
          onChange={(event) => setStatus(event.target.value)}
        >
          <option value="">Any status</option>
          {SESSION_STATUSES.map((one) => (
            <option key={one} value={one}>
              {STATUS[one].word}
            </option>
          ))}
        </select>
        <select
          className="input"
          aria-label="Kind"
          value={kind}
          onChange={(event) => setKind(event.target.value)}
        >
          <option value="">Any kind</option>
          {kinds.map((one) => (
            <option key={one}>{one}</option>
          ))}
        </select>
        <select
          className="input"
          aria-label="Sort by"
          value={sort}
          onChange={(event) => setSort(event.target.value as Sort)}
        >
          {Object.entries(SORTS).map(([name, label]) => (
            <option key={name} value={name}>
              {label}
            </option>
          ))}
        </select>
      </div>
      {problem === null ? null : <ProblemNote problem={problem} />}
      {rows !== null && rows.length === 0 ? (
        <Empty icon="list" title="No sessions yet">
          <p>Start one, or put a foreign agent under supervision: it appears here like any other.</p>
        </Empty>
      ) : null}
      {rows !== null && rows.length > 0 && shown.length === 0 ? (
        <Empty icon="search" title="Nothing fits">
          <p>Search for less, or take a filter away.</p>
        </Empty>
      ) : null}
      {shown.length === 0 ? null : (
        <ul role="list" className="card rows">
          {shown.map(({ row, depth }) => (
            <li key={row.session_id}>
              <SessionItem row={row} depth={depth} />
            </li>
          ))}
        </ul>
      )}
      {more ? (
        <p className="more">
          <button type="button" className="button" onClick={load}>
            Load older sessions
          </button>
        </p>
      ) : null}
    </div>
  );
}

function SessionItem({ row, depth }: { readonly row: SessionRow; readonly depth: number }) {
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
          <Visible text={row.title ?? "Untitled session"} />
        </strong>
        <StatusChip status={row.status} />
        <span className="dim tiny age">
          <Age at={row.updated_at} />
        </span>
      </span>
      <span className="dim tiny ellipsis">
        {[row.kind, row.state?.model, row.created_by, row.aliases?.[0], row.session_id]
          .filter(Boolean)
          .join(" · ")}
      </span>
    </Link>
  );
}

const PAGE = 100;

/** Pages as they are asked for; the first is looked at again whenever something moves. */
function useSessions() {
  const { inbox: moved } = useStore(inbox);
  const [pages, setPages] = useState<Pages | null>(null);
  const [problem, setProblem] = useState<Problem | null>(null);
  useEffect(() => {
    let wanted = true;
    call("listSessions", { query: { limit: PAGE } }).then(
      (page) => {
        if (!wanted) return;
        setProblem(null);
        setPages((before) => withFirst(before, page));
      },
      (error: unknown) => wanted && setProblem(problemOf(error)),
    );
    return () => void (wanted = false);
  }, [moved]);
  const cursor = pages?.cursor ?? null;
  const load = useCallback(() => {
    if (cursor === null) return;
    call("listSessions", { query: { limit: PAGE, cursor } }).then(
      (page) => setPages((before) => (before?.cursor === cursor ? withNext(before, page) : before)),
      (error: unknown) => setProblem(problemOf(error)),
    );
  }, [cursor]);
  return { rows: pages?.rows ?? null, more: cursor !== null, load, problem };
}
