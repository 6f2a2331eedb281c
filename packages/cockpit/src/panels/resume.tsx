import { useAct } from "../lib/act.ts";
import { LEFT } from "../lib/acts.ts";
import { call } from "../lib/api.ts";
import { navigate, pathOf } from "../lib/router.tsx";
import { useMay } from "../state/me.ts";
import { ProblemNote } from "../ui/parts.tsx";
import { type Detail, rowCount } from "./detail.ts";
import { Panel } from "./panel.tsx";

/** Places to go on from in another way. */
export function ResumePanel({ id, detail }: { readonly id: string; readonly detail: Detail | null }) {
  const { busy, problem, act } = useAct();
  const may = useMay("operator");
  const points = (detail?.chat?.resume_points ?? []).toReversed();
  if (points.length === 0) return null;
  const branch = (resume_cursor: string): Promise<void> =>
    act(resume_cursor, async (idempotencyKey) => {
      const background = detail?.session.kind === "background";
      const made = await call(background ? "resumeSession" : "branchChatSession", {
        params: { id },
        body: { resume_cursor },
        idempotencyKey,
      });
      navigate(pathOf("session", { id: made.session_id }));
      return LEFT;
    });
  return (
    <Panel icon="branch" title="Branch from" note={rowCount(points)}>
      {problem === null ? null : <ProblemNote problem={problem} />}
      <ul role="list" className="plain-list">
        {points.map((point) => (
          <li key={point.resume_cursor} className="row">
            <span className="grow">
              <span className="tiny dim">{point.kind}</span> {point.label}
            </span>
            {may ? (
              <button
                type="button"
                className="button quiet"
                disabled={busy}
                onClick={() => void branch(point.resume_cursor)}
              >
                Branch
              </button>
            ) : null}
          </li>
        ))}
      </ul>
    </Panel>
  );
}
