import type { APPROVAL_MODES, PERMISSION_MODES } from "@fairlead/contract";

/** What a session may do by itself, and what it asks, in words for who chooses. */
export const MAY = {
  plan: "Plan: reads only",
  normal: "Normal: asks before it changes something",
  accept_edits: "Accept edits: edits files of the workspace without asking",
  full_access: "Full access",
} as const satisfies Record<(typeof PERMISSION_MODES)[number], string>;

export const ASKS = {
  always: "Always: all that can change something",
  on_request: "On request: what the mode leaves open",
  on_escalation: "On escalation: only what a rule escalates",
  never: "Never: what would be asked is denied",
} as const satisfies Record<(typeof APPROVAL_MODES)[number], string>;
