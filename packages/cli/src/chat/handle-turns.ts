import { add, type Handlers, note } from "./fold.ts";
import { settled } from "./handle-output.ts";
import { abandoned } from "./handle-tools.ts";
import type { View } from "./model.ts";

export const TURNS: Handlers = {
  session_state: (view, state) => ({
    ...view,
    status: state.status,
    title: state.title ?? view.title,
    model: state.model ?? view.model,
    permissionMode: state.permission_mode ?? view.permissionMode,
    approvalMode: state.approval_mode ?? view.approvalMode,
    thinkLevel: state.think_level ?? view.thinkLevel,
    workspace: state.workspace ?? view.workspace,
    // A parked turn that goes on says so here alone.
    turn: view.turn !== null && state.status === "running" ? { ...view.turn, parked: false } : view.turn,
  }),
  policy_decision(view, { subject, permission_mode, approval_mode }) {
    if (subject !== "turn_runtime") return view;
    return {
      ...view,
      permissionMode: permission_mode ?? view.permissionMode,
      approvalMode: approval_mode ?? view.approvalMode,
    };
  },
  turn_start(view, { turn_id, input, input_id }, { id, now }) {
    const waiting = view.waiting.filter((one) => one.id !== input_id);
    const next = { ...settled(view), waiting, turn: { id: turn_id, since: now, parked: false } };
    // Begun again by another process: it was said once.
    if (view.turn?.id === turn_id) return next;
    return add(next, { kind: "said", key: id, final: true, text: input, how: "turn" });
  },
  input_queued: (view, { input_id, mode, input }) => ({
    ...view,
    waiting: [...view.waiting, { id: input_id, mode, text: input }],
  }),
  input_taken(view, { input_id, dropped }, told) {
    const taken = view.waiting.find(({ id }) => id === input_id);
    const next = { ...view, waiting: view.waiting.filter((one) => one !== taken) };
    if (taken === undefined) return next;
    if (dropped !== undefined) return note(next, told, `Not said: “${taken.text}”. ${dropped}`, "warning");
    if (taken.mode === "queue") return next;
    return add(settled(next), { kind: "said", key: told.id, final: true, text: taken.text, how: "steer" });
  },
  turn_end(view, { turn_id, status, reason }, { id, now }) {
    const { turn } = view;
    if (status === "parked")
      return { ...settled(view), turn: { id: turn_id, since: turn?.since ?? now, parked: true } };
    const closed = abandoned(settled(view));
    const elapsed = turn === null ? 0 : now - turn.since;
    return add(
      { ...withTasks(closed, id), turn: null },
      { kind: "end", key: id, final: true, status, reason, elapsed },
    );
  },
  error(view, { error, code }, told) {
    // Cancelled is said by the end of the turn.
    return code === "cancelled" ? view : note(settled(view), told, `${error} (${code})`, "bad");
  },
  session_checkpoint(view, { checkpoint_type, summary_text }, told) {
    if (checkpoint_type !== "resume_seed") return view;
    // A branch begins: what waited stays with the session that asked.
    const items = view.items.filter((item) => item.kind !== "question" || item.final);
    return note(
      abandoned(settled({ ...view, items, pending: [], waiting: [], turn: null })),
      told,
      summary_text,
    );
  },
  gap: (view, { from_seq, to_seq }, told) =>
    note(view, told, `Events ${from_seq} to ${to_seq} were trimmed.`, "warning"),
};

/** The list as it stands at the end, for those who read it later. A list that is done is then put away. */
function withTasks(view: View, key: string): View {
  if (view.tasks.length === 0) return view;
  const open = view.tasks.some(({ status }) => status === "pending" || status === "in_progress");
  return add(
    { ...view, tasks: open ? view.tasks : [] },
    { kind: "tasks", key: `${key}-tasks`, final: true, tasks: view.tasks },
  );
}
