import { visible } from "@fairlead/contract/visible";
import type { GrantRow, QuestionRow } from "@fairlead/contract";
import { useEffect, useState } from "react";
import { call, type Problem, problemOf } from "../lib/api.ts";
import { Link, pathOf } from "../lib/router.tsx";
import { useStore } from "../lib/store.ts";
import { useTitle } from "../lib/title.ts";
import { inbox } from "../state/inbox.ts";
import { useMay } from "../state/me.ts";
import { Chip, DECISION_SIGNS, RISK_SIGNS } from "../ui/chip.tsx";
import { Age, Empty, Note, ProblemNote } from "../ui/parts.tsx";

/** What was asked and decided, and what is allowed without asking. */
export function ApprovalsPage() {
  useTitle("Approvals");
  const { inbox: moved } = useStore(inbox);
  const [questions, setQuestions] = useState<readonly QuestionRow[] | null>(null);
  const [grants, setGrants] = useState<readonly GrantRow[] | null>(null);
  const [problem, setProblem] = useState<Problem | null>(null);
  const [round, setRound] = useState(0);
  const mayRevoke = useMay("operator");
  useEffect(() => {
    let wanted = true;
    Promise.all([
      call("listQuestions", { query: { limit: 100 } }),
      call("listGrants", { query: { limit: 100 } }),
    ]).then(
      ([asked, given]) => {
        if (!wanted) return;
        setQuestions(asked.rows);
        setGrants(given.rows);
        setProblem(null);
      },
      (error: unknown) => wanted && setProblem(problemOf(error)),
    );
    return () => void (wanted = false);
  }, [moved, round]);

  async function revoke(id: GrantRow["grant_id"]): Promise<void> {
    await call("revokeGrant", { params: { id } }).catch((error: unknown) => setProblem(problemOf(error)));
    setRound((before) => before + 1);
  }

  const active = (grants ?? []).filter(({ state }) => state === "active");
  const ended = (grants ?? []).filter(({ state }) => state !== "active");
  return (
    <div className="page">
      <header className="page-head">
        <h1>Approvals</h1>
      </header>
      {problem === null ? null : <ProblemNote problem={problem} />}
      <section className="group" aria-labelledby="allowed">
        <h2 id="allowed">
          Allowed without asking <span className="dim num">{active.length}</span>
        </h2>
        {active.length === 0 ? (
          <Note>
            Nothing is. When you approve a call, you can allow the like of it for its turn, its session, or
            from now on.
          </Note>
        ) : (
          <ul role="list" className="card rows">
            {active.map((grant) => (
              <li key={grant.grant_id} className="grant-row">
                <div className="grow">
                  <code>{grant.pattern}</code>
                  <div className="dim tiny">
                    for {grant.scope === "pattern" ? "everything, until revoked" : `its ${grant.scope}`} · by{" "}
                    {grant.actor} · <Age at={grant.created_at} />
                    {grant.expires_at === null
                      ? ""
                      : ` · until ${new Date(grant.expires_at).toLocaleDateString()}`}
                  </div>
                  {grant.risk === null ? null : <Note tone="warn">{grant.risk}</Note>}
                </div>
                {mayRevoke ? (
                  <button type="button" className="button danger" onClick={() => void revoke(grant.grant_id)}>
                    Revoke
                  </button>
                ) : null}
              </li>
            ))}
          </ul>
        )}
        {ended.length === 0 ? null : (
          <details>
            <summary className="small dim">{ended.length} that no longer count</summary>
            <ul role="list" className="rows">
              {ended.map((grant) => (
                <li key={grant.grant_id} className="grant-row small dim">
                  <code>{grant.pattern}</code> {grant.state}
                </li>
              ))}
            </ul>
          </details>
        )}
      </section>
      <section className="group" aria-labelledby="history">
        <h2 id="history">History</h2>
        {questions !== null && questions.length === 0 ? (
          <Empty icon="shield" title="Nobody has asked anything yet">
            <p>Each question of an agent stays here with its decision: which, by whom, and when.</p>
          </Empty>
        ) : (
          <ul role="list" className="card rows">
            {(questions ?? []).map((row) => (
              <li key={row.request_id}>
                <Link href={pathOf("question", { id: row.request_id })} className="session-item">
                  <span className="row">
                    <Chip sign={DECISION_SIGNS[row.state] ?? DECISION_SIGNS["expired"]!} />
                    <strong className="grow ellipsis">
                      <code>{visible(row.tool_name)}</code>
                    </strong>
                    {row.risk === null ? null : <Chip sign={RISK_SIGNS[row.risk] ?? RISK_SIGNS["high"]!} />}
                    <span className="dim tiny age">
                      <Age at={row.decided_at ?? row.asked_at} />
                    </span>
                  </span>
                  <span className="dim tiny ellipsis">
                    {row.actor === null
                      ? visible(row.reason)
                      : visible(`by ${row.actor}${row.note === null ? "" : `: ${row.note}`} · ${row.reason}`)}
                  </span>
                </Link>
              </li>
            ))}
          </ul>
        )}
      </section>
    </div>
  );
}
