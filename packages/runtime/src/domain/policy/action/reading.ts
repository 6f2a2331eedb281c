import type { AhpEvent } from "@fairlead/ahp";
import type { Action } from "./action.ts";
import { actionOf } from "./action.ts";

interface Reading {
  readonly workspace: string | undefined;
  readonly believed: boolean;
  readonly action: Action;
}

const readings = new WeakMap<AhpEvent, Reading>();

/** The action of an event as it is now, kept for who looks at it next. */
export function readAction(event: AhpEvent, workspace: string | undefined, believed: boolean): Action {
  const action = actionOf(event, workspace, believed);
  readings.set(event, { workspace, believed, action });
  return action;
}

/**
 * As rules have just read it, for the guard that looks at it after them. Good for once: whoever asks again may have
 * changed the event since.
 */
export function takeAction(event: AhpEvent, workspace: string | undefined): Action {
  const known = readings.get(event);
  readings.delete(event);
  if (known !== undefined && known.workspace === workspace && !known.believed) return known.action;
  return actionOf(event, workspace);
}
