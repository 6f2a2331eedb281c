import type { GrantRow } from "@fairlead/contract";
import { PATTERN_DAYS } from "@fairlead/contract/view";
import { visible } from "@fairlead/contract/visible";
import { useState } from "react";
import { call, type Problem, problemOf } from "../lib/api.ts";
import { type Paged, usePaged } from "../lib/paged.ts";
import { Link, pathOf } from "../lib/router.tsx";
import { useStore } from "../lib/store.ts";
import { inbox } from "../state/inbox.ts";
import { useMay } from "../state/me.ts";
import { Age, Note, ProblemNote } from "../ui/parts.tsx";

function useGrants(which: "active" | "ended" | "none"): Paged<GrantRow> {
  const { inbox: moved } = useStore(inbox);
  return usePaged(which, moved, async (page) => {
    if (which === "none") return { rows: [], cursor: null };
    if (which === "active") return call("listGrants", { query: { ...page, state: which } });
    const { rows, cursor } = await call("listGrants", { query: page });
    return { rows: rows.filter(({ state }) => state !== "active"), cursor };
  });
}

/** What is allowed without asking, and can be taken back. */
export function Allowed() {
  const active = useGrants("active");
  const mayRevoke = useMay("operator");
  const [problem, setProblem] = useState<Problem | null>(null);
  async function revoke(id: GrantRow["grant_id"]): Promise<void> {
    setProblem(null);
    await call("revokeGrant", { params: { id } }).catch((error: unknown) => setProblem(problemOf(error)));
    active.again();
  }
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

/** Read only once somebody wants to see them. */
function Ended() {
  const [open, setOpen] = useState(false);
  const ended = useGrants(open ? "ended" : "none");
  return (
    <details onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary className="small dim">Those that no longer count</summary>
      {ended.rows?.length === 0 && open ? <p className="dim small">None.</p> : null}
      <ul role="list" className="rows">
        {(ended.rows ?? []).map((grant) => (
          <li key={grant.grant_id} className="grant-row small dim">
            <Grant grant={grant} /> {grant.state}
          </li>
        ))}
      </ul>
      {ended.more ? <More load={ended.load} /> : null}
    </details>
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
