import { add, type Handlers } from "./fold.ts";
import { settled } from "./handle-output.ts";

export const QUESTIONS: Handlers = {
  approval_required(view, { request_id, tool_name, tool_call_id }, { id }) {
    const asked = tool_call_id === undefined ? view.asked : { ...view.asked, [request_id]: tool_call_id };
    const pending = [...view.pending, request_id];
    return add(
      { ...settled(view), pending, asked },
      { kind: "question", key: id, final: false, requestId: request_id, tool: tool_name, row: undefined },
    );
  },
  approval_applied(view, { request_id, tool_name, decision, actor, note, scope, answer }, { id }) {
    const reach =
      scope === undefined || scope.kind === "call" ? undefined : `${scope.kind}: ${scope.pattern ?? ""}`;
    const pending = view.pending.filter((one) => one !== request_id);
    const call = view.asked[request_id];
    const no = decision === "denied" || decision === "expired";
    const refused = no && call !== undefined ? [...view.refused, call] : view.refused;
    // Decided before it could be shown: the decision alone is left to tell.
    const items = view.items.filter(
      (item) => item.kind !== "question" || item.requestId !== request_id || item.final,
    );
    return add(
      { ...view, pending, items, refused },
      {
        kind: "decided",
        key: id,
        final: true,
        tool: tool_name,
        decision,
        actor,
        note,
        scope: reach,
        answer: answerText(answer),
      },
    );
  },
};

function answerText(answer: unknown): string | undefined {
  if (answer === undefined || typeof answer === "string") return answer;
  const { outcome } = (answer ?? {}) as { outcome?: unknown };
  return typeof outcome === "string" ? outcome : JSON.stringify(answer);
}
