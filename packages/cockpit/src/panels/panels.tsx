import { useStorePart } from "../lib/store.ts";
import type { SessionFeed } from "../state/session-feed.ts";
import { debugTier } from "../state/settings.ts";
import { useStore } from "../lib/store.ts";
import { Icon } from "../ui/icon.tsx";
import { ArtifactsPanel } from "./artifacts.tsx";
import { FilesPanel } from "./files.tsx";
import { CostPanel } from "./cost.tsx";
import { ContextPanel, GuardrailPanel } from "./context.tsx";
import { DiagnosticsPanel, PolicyPanel, RecoveryPanel } from "./governance.tsx";
import { HealthPanel } from "./health.tsx";
import { ProgressPanel, TasksPanel, VerificationPanel } from "./progress.tsx";
import { ResumePanel } from "./resume.tsx";
import { SubagentsPanel } from "./subagents.tsx";
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
      <CostPanel summary={summary} />
      <HealthPanel summary={summary} detail={detail} />
      <TasksPanel tasks={summary.tasks} />
      <ProgressPanel summary={summary} />
      <SubagentsPanel agents={summary.subagents} />
      <VerificationPanel summary={summary} />
      <FilesPanel files={summary.files} />
      <ArtifactsPanel detail={detail} />
      <ContextPanel summary={summary} />
      <GuardrailPanel summary={summary} />
      <RecoveryPanel summary={summary} />
      <PolicyPanel summary={summary} open={debug} />
      <ResumePanel id={id} detail={detail} />
      <AboutPanel summary={summary} id={id} detail={detail} />
      {debug ? <DiagnosticsPanel summary={summary} /> : null}
      {none.length === 0 ? null : (
        <p className="panels-none tiny dim">
          Nothing yet of: {none.join(", ")}. Each is here once there is some.
        </p>
      )}
    </aside>
  );
}
