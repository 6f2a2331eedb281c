import type { SessionState } from "@fairlead/contract";

/**
 * What a session says of itself once a question is decided: nobody is waited for who has spoken. Who drives it says so with
 * its next state; where it is paused, that may be long after.
 */
export function withoutQuestion(state: SessionState, request_id: string): SessionState {
  const { approval_request_id, resume_context } = state;
  const ids = resume_context?.["request_ids"];
  const open = Array.isArray(ids) ? ids.filter((one) => one !== request_id) : [];
  const listed = Array.isArray(ids) && open.length < ids.length;
  if (approval_request_id !== request_id && !listed) return state;
  return {
    ...state,
    approval_request_id:
      approval_request_id === request_id ? ((open[0] as string | undefined) ?? null) : approval_request_id,
    ...(listed ? { resume_context: contextOf({ ...resume_context }, open) } : {}),
  };
}

/** What else is known of why it waits stays: that it is paused, and by whom. */
function contextOf(before: Readonly<Record<string, unknown>>, open: readonly unknown[]) {
  if (open.length > 0) return { ...before, request_ids: [...open] };
  const { kind: _kind, request_ids: _ids, ...rest } = before;
  return Object.keys(rest).length === 0 ? null : rest;
}
