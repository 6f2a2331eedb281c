import { type Summary, SUMMARY_MOST, type Task, worded } from "@fairlead/contract/view";
import { Icon, type IconName } from "../ui/icon.tsx";
import { howMany } from "./how-many.ts";
import { useNewest } from "./newest.tsx";
import { Panel } from "./panel.tsx";

const SIGNS: Readonly<Record<string, readonly [IconName, string]>> = {
  completed: ["check", "done"],
  done: ["check", "done"],
  in_progress: ["working", "under way"],
  running: ["working", "under way"],
  started: ["working", "under way"],
  awaiting_approval: ["hand", "waits for a decision"],
  waiting: ["clock", "waits for a time"],
  pending: ["dot", "open"],
  passed: ["check", "passed"],
  skipped: ["dot", "skipped"],
  needs_review: ["flag", "needs review"],
  open: ["warning", "open"],
  failed: ["cross", "failed"],
  cancelled: ["stop", "cancelled"],
};

export function State({ status }: { readonly status: string }) {
  const [icon, word] = SIGNS[status] ?? (["dot", status.replaceAll("_", " ")] as const);
  return (
    <span className="dim" title={word}>
      <Icon name={icon} />
      <span className="hidden-text">{word}: </span>
    </span>
  );
}

export function TasksPanel({ tasks }: { readonly tasks: readonly Task[] }) {
  if (tasks.length === 0) return null;
  const done = tasks.filter(({ status }) => status === "completed" || status === "done").length;
  return (
    <Panel icon="list" title="Tasks" note={`${done} of ${tasks.length}`} open>
      <ul role="list" className="plain-list">
        {tasks.map((task) => (
          <li key={task.id} className="row">
            <State status={task.status} /> <span>{task.title}</span>
          </li>
        ))}
      </ul>
    </Panel>
  );
}

export function ProgressPanel({ summary }: { readonly summary: Summary }) {
  const { steps, checkpoints, partial } = summary;
  const taken = useNewest(steps.toReversed());
  const left = useNewest(checkpoints.toReversed());
  const most = Math.max(steps.length, checkpoints.length);
  if (most === 0) return null;
  return (
    <Panel
      icon="flag"
      title="Steps and checkpoints"
      note={howMany(steps.length + checkpoints.length, partial || most >= SUMMARY_MOST)}
    >
      {taken.rest}
      <ul role="list" className="plain-list">
        {taken.shown.toReversed().map((step) => (
          <li key={step.step_id} className="row">
            <State status={step.status} /> <span>{step.title ?? step.step_id}</span>
          </li>
        ))}
        {left.shown.map((point) => (
          <li key={point.seq}>
            <span className="tiny dim">{checkpointWords(point)}</span>
            <div>{point.summary_text}</div>
          </li>
        ))}
      </ul>
      {left.rest}
    </Panel>
  );
}

/** Its type; and what the session is, where that is another word. */
function checkpointWords(point: { readonly checkpoint_type: string; readonly status: string }): string {
  return [...new Set([point.checkpoint_type, point.status])].map(worded).join(", ");
}
