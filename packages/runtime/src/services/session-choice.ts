import { FairleadError } from "@fairlead/contract";
import type { Actor } from "../domain/actor.ts";
import { boundsOf } from "../domain/kernel/session-events.ts";
import type { CreateSession, SessionChoice } from "./types.ts";

type Modes = Pick<SessionChoice, "permission_mode" | "approval_mode">;

/** What was chosen of how a session works. */
export function settingsOf({
  permission_mode,
  approval_mode,
  think_level,
  instructions,
  reflection,
  requires,
}: SessionChoice): SessionChoice {
  const said = { permission_mode, approval_mode, think_level, instructions, reflection, requires };
  return Object.fromEntries(Object.entries(said).filter(([, value]) => value !== undefined));
}

/** What a new session is held to, as its state keeps it. */
export function policyOf({ policy }: Pick<CreateSession, "policy">): Pick<SessionChoice, "metadata"> {
  return policy === undefined ? {} : boundsOf({ policy }, {});
}

/** An agent does not choose to be watched less. */
export function demandModes(actor: Actor, { permission_mode, approval_mode }: Modes): void {
  if (actor.role !== "agent") return;
  if (isLoose(permission_mode) || approval_mode === "on_escalation")
    throw new FairleadError("forbidden", {
      message: "An agent's credential starts sessions in plan or normal mode only, and they ask.",
      details: { permission_mode, approval_mode },
    });
}

/** What a person allowed one session is not an agent's to take along into another. */
export function tightened(
  actor: Actor,
  inherited: { readonly permission_mode?: unknown; readonly approval_mode?: unknown },
): Modes {
  if (actor.role !== "agent") return {};
  return {
    ...(isLoose(inherited.permission_mode) ? { permission_mode: "normal" } : {}),
    ...(inherited.approval_mode === "on_escalation" ? { approval_mode: "on_request" } : {}),
  };
}

function isLoose(permission_mode: unknown): boolean {
  return permission_mode === "accept_edits" || permission_mode === "full_access";
}
