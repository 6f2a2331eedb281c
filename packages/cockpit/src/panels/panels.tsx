import { useStorePart } from "../lib/store.ts";
import type { SessionFeed } from "../state/session-feed.ts";
import { debugTier } from "../state/settings.ts";
import { useStore } from "../lib/store.ts";
import { Guarded } from "../ui/guarded.tsx";
import { Icon } from "../ui/icon.tsx";
import { ArtifactsPanel } from "./artifacts.tsx";
import { FilesPanel } from "./files.tsx";
import { CostPanel } from "./cost.tsx";
import { ContextPanel, GuardrailPanel } from "./context.tsx";
import { DiagnosticsPanel, PolicyPanel, RecoveryPanel } from "./governance.tsx";
import { HealthPanel } from "./health.tsx";
import { ProgressPanel, TasksPanel } from "./progress.tsx";
import { ResumePanel } from "./resume.tsx";
import { SubagentsPanel } from "./subagents.tsx";
import { VerificationPanel } from "./verification.tsx";
import { AboutPanel } from "./about.tsx";
import type { Detail } from "./detail.ts";
import { noneYet } from "./none-yet.ts";

/** The session beside its timeline: what it is now, and what it has come to. */
export function Panels(props: {
  readonly feed: SessionFeed;
  readonly id: string;
  readonly detail: Detail | null;
  readonly onClose: () => void;
}) {
  const { feed, id, detail, onClose } = props;
  const summary = useStorePart(feed, (value) => value.summary);
  const debug = useStore(debugTier);
  const none = noneYet(summary, detail);
  // Each stands by itself: what one cannot show is kept from none of the others.
  const parts = [
    <CostPanel key="cost" summary={summary} />,
    <HealthPanel key="health" summary={summary} detail={detail} />,
    <TasksPanel key="tasks" tasks={summary.tasks} />,
    <ProgressPanel key="progress" summary={summary} />,
    <SubagentsPanel key="subagents" agents={summary.subagents} />,
    <VerificationPanel key="verification" summary={summary} />,
    <FilesPanel key="files" summary={summary} />,
    <ArtifactsPanel key="artifacts" detail={detail} />,
    <ContextPanel key="context" summary={summary} />,
    <GuardrailPanel key="guardrail" summary={summary} />,
    <RecoveryPanel key="recovery" summary={summary} />,
    <PolicyPanel key="policy" summary={summary} open={debug} />,
    <ResumePanel key="resume" id={id} detail={detail} />,
    <AboutPanel key="about" summary={summary} id={id} detail={detail} />,
    debug ? <DiagnosticsPanel key="diagnostics" summary={summary} /> : null,
  ];
  return (
    <aside className="panels" aria-label="Details">
      <div className="row panels-head">
        <h2 className="grow">Details</h2>
        <button
          type="button"
          className="button quiet icon-only"
          aria-label="Close the details"
          onClick={onClose}
        >
          <Icon name="cross" />
        </button>
      </div>
      {parts.map((panel) => (
        <Guarded key={panel?.key} what="panel" of={summary}>
          {panel}
        </Guarded>
      ))}
      {summary.partial ? (
        <p className="panels-none tiny dim">
          This session is too long to be read in full here: where a number has a +, its log has more.
        </p>
      ) : null}
      {none.length === 0 ? null : (
        <p className="panels-none tiny dim">
          Nothing yet of: {none.join(", ")}. Each is here once there is some.
        </p>
      )}
    </aside>
  );
}
