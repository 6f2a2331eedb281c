import type { GrantRow, GrantState } from "@fairlead/contract";
import { PATTERN_DAYS } from "@fairlead/contract/view";
import { visible } from "@fairlead/contract/visible";
import { useState } from "react";
import { useAct } from "../lib/act.ts";
import { call } from "../lib/api.ts";
import { type Paged, usePaged } from "../lib/paged.ts";
import { Link, pathOf } from "../lib/router.tsx";
import { useStore } from "../lib/store.ts";
import { inbox } from "../state/inbox.ts";
import { useMay } from "../state/me.ts";
import { Age, Note, ProblemNote } from "../ui/parts.tsx";

/** Those of one state; null: none yet. */
function useGrants(state: GrantState | null): Paged<GrantRow> {
  const { inbox: moved } = useStore(inbox);
  return usePaged(state, moved, (page, signal) =>
    call("listGrants", { query: { ...page, ...(state === null ? {} : { state }) }, signal }),
  );
}

/** What is allowed without asking, and can be taken back. */
export function Allowed() {
  const active = useGrants("active");
  const mayRevoke = useMay("operator");
  const { busy, problem, act } = useAct();
  const revoke = (id: GrantRow["grant_id"]): Promise<void> =>
    act(id, () => call("revokeGrant", { params: { id } })).then(active.again);
  const shown = problem ?? active.problem;
  return (
    <section className="group" aria-labelledby="allowed">
      <h2 id="allowed">
        Allowed without asking{" "}
        <span className="dim num">
          {active.rows?.length ?? ""}
          {active.more ? "+" : ""}
        </span>
      </h2>
      {shown === null ? null : <ProblemNote problem={shown} />}
      {active.rows?.length === 0 ? (
        <Note>
          Nothing is. When you approve a call, you can allow the like of it for its turn, its session, or all
          sessions for {PATTERN_DAYS} days.
        </Note>
      ) : null}
      {active.rows === null || active.rows.length === 0 ? null : (
        <ul role="list" className="card rows">
          {active.rows.map((grant) => (
            <li key={grant.grant_id} className="grant-row">
              <Grant grant={grant} />
              {mayRevoke ? (
                <button
                  type="button"
                  className="button danger"
                  disabled={busy}
                  aria-label={`Revoke ${visible(grant.pattern)}`}
                  onClick={() => void revoke(grant.grant_id)}
                >
                  Revoke
                </button>
              ) : null}
            </li>
          ))}
        </ul>
      )}
      {active.more ? <More load={active.load} /> : null}
      <Ended />
    </section>
  );
}

function Grant({ grant }: { readonly grant: GrantRow }) {
  return (
    <div className="grow">
      <code>{visible(grant.pattern)}</code>
      <div className="dim tiny">
        {grant.scope === "pattern" ? (
          "what fits this, in all sessions of the same owner and project"
        ) : (
          <>
            for <Link href={pathOf("session", { id: grant.session_id })}>its {grant.scope}</Link>
          </>
        )}{" "}
        · by {visible(grant.actor)} · <Age at={grant.created_at} />
        {grant.expires_at === null
          ? " · until revoked"
          : ` · until ${new Date(grant.expires_at).toLocaleDateString()}, or revoked`}
      </div>
      {grant.risk === null ? null : <Note tone="warn">{visible(grant.risk)}</Note>}
    </div>
  );
}

/** Read only once somebody wants to see them. The server knows each state by itself: no page is short of what it shows. */
function Ended() {
  const [open, setOpen] = useState(false);
  const revoked = useGrants(open ? "revoked" : null);
  const expired = useGrants(open ? "expired" : null);
  const none = [revoked, expired].every(({ rows, busy }) => !busy && rows?.length === 0);
  return (
    <details onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary className="small dim">Those that no longer count</summary>
      {none ? <p className="dim small">None.</p> : null}
      <EndedRows of={revoked} word="revoked" />
      <EndedRows of={expired} word="expired" />
    </details>
  );
}

function EndedRows({ of, word }: { readonly of: Paged<GrantRow>; readonly word: string }) {
  return (
    <>
      {of.problem === null ? null : <ProblemNote problem={of.problem} />}
      <ul role="list" className="rows" aria-label={`Allowed once, ${word}`}>
        {(of.rows ?? []).map((grant) => (
          <li key={grant.grant_id} className="grant-row small dim">
            <Grant grant={grant} /> {word}
          </li>
        ))}
      </ul>
      {of.more ? <More load={of.load} /> : null}
    </>
  );
}

function More({ load }: { readonly load: () => void }) {
  return (
    <p className="more">
      <button type="button" className="button" onClick={load}>
        Show more
      </button>
    </p>
  );
}
