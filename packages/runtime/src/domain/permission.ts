import type { Role } from "@fairlead/contract";

export const ACTIONS = [
  "session.read",
  "session.create",
  "session.trim",
  "session.purge",
  "turn.start",
  "turn.cancel",
  "session.control",
  "question.decide",
  "grant.read",
  "grant.revoke",
  "hook.trust",
  "token.manage",
] as const;
export type Action = (typeof ACTIONS)[number];

const READ_ONLY: Record<Action, boolean> = {
  "session.read": true,
  "session.create": false,
  "session.trim": false,
  "session.purge": false,
  "turn.start": false,
  "turn.cancel": false,
  "session.control": false,
  "question.decide": false,
  "grant.read": true,
  "grant.revoke": false,
  "hook.trust": false,
  "token.manage": false,
};

/** Total: a new role or action does not compile until someone has decided on it. */
const ALLOWED: Record<Role, Record<Action, boolean>> = {
  viewer: READ_ONLY,
  // An agent speaks for the sessions it made. It never decides a question: that would be its own supervisor.
  // Nor does it learn what it may do without being asked about.
  agent: {
    ...READ_ONLY,
    "session.create": true,
    "turn.start": true,
    "turn.cancel": true,
    "grant.read": false,
  },
  operator: {
    ...READ_ONLY,
    "session.create": true,
    "turn.start": true,
    "turn.cancel": true,
    "session.control": true,
    "question.decide": true,
    "grant.revoke": true,
    "hook.trust": true,
  },
  admin: {
    "session.read": true,
    "session.create": true,
    "session.trim": true,
    "session.purge": true,
    "turn.start": true,
    "turn.cancel": true,
    "session.control": true,
    "question.decide": true,
    "grant.read": true,
    "grant.revoke": true,
    "hook.trust": true,
    "token.manage": true,
  },
};

export function allows(role: Role, action: Action): boolean {
  return ALLOWED[role][action];
}
