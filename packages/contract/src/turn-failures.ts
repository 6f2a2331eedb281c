/** Why a turn of ours can fail: the `code` of `runtime.request.failed`. Stable: clients branch on it. */
export const TURN_FAILURES = {
  interrupted: "The process that ran this turn stopped before it ended.",
  model_error: "The model failed.",
  model_invalid: "The model sent something that is not part of an answer.",
  model_timeout: "The model stopped answering.",
  model_truncated: "The model's answer broke off.",
  model_empty: "The model gave no answer.",
  output_limit: "The model's answer grew beyond the limit.",
  model_refused: "The model provider refused the request.",
  model_limited: "The model provider takes no more requests for now.",
  step_limit: "The turn took more steps than it may.",
  repair_limit: "The model kept calling tools in ways that do not fit them.",
  blocked: "A supervisor blocked the turn.",
  hook_blocked: "A hook stopped the turn.",
  expired: "The session's time was over.",
  workspace: "The session's own workspace could not be used, and nothing was done elsewhere.",
  budget: "The turn's budget is spent.",
  stalled: "The turn came no further, and nothing said why. It was ended so that it holds up nothing else.",
  internal: "The turn could not be recorded as it ran.",
} as const;
export type TurnFailure = keyof typeof TURN_FAILURES;
