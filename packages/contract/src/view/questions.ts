import { add, base, find, from, type Handlers, replace, settle } from "./draft.ts";
import type { QuestionEntry } from "./entries.ts";

type Names = "approval_required" | "approval_applied";

export const QUESTIONS: Pick<Handlers, Names> = {
  approval_required(draft, asked, frame) {
    settle(draft);
    add(draft, {
      ...base(frame, `question:${asked.request_id}`),
      ...unknownQuestion(asked.request_id, asked.tool_name),
      asks: asked.kind ?? "approval",
      callId: asked.tool_call_id ?? null,
      reason: asked.reason,
      risk: asked.risk ?? null,
      shown: asked.shown ?? null,
      shownHash: asked.shown_hash ?? null,
      pattern: asked.pattern ?? null,
      origin: asked.origin ?? null,
      expires: asked.expires_at ?? null,
    });
  },
  approval_applied(
    draft,
    { request_id, tool_name, decision, actor, decided_at, note, scope, edited, moot },
    frame,
  ) {
    const reach = scope === undefined || scope.kind === "call" ? null : reachOf(scope);
    const decided = {
      decision,
      actor,
      at: decided_at,
      note: note ?? null,
      reach,
      ...(moot === true ? { moot } : {}),
      ...(edited === undefined ? {} : { edited }),
    };
    const known = find(draft, "question", `question:${request_id}`);
    if (known !== undefined) return replace(draft, { ...known, decided, ...from(known, frame) });
    // Asked before the window begins.
    settle(draft);
    const entry = { ...base(frame, `question:${request_id}`), ...unknownQuestion(request_id, tool_name) };
    add(draft, { ...entry, decided });
  },
};

function reachOf({ kind, pattern }: { kind: string; pattern?: string | undefined }): string {
  return pattern === undefined ? kind : `${kind}: ${pattern}`;
}

function unknownQuestion(requestId: string, tool: string) {
  return {
    kind: "question",
    requestId,
    asks: "approval",
    callId: null,
    tool,
    reason: "",
    risk: null,
    shown: null,
    shownHash: null,
    pattern: null,
    origin: null,
    expires: null,
    decided: null,
  } as const satisfies Partial<QuestionEntry>;
}
