import type { AhpEvent } from "@fairlead/ahp";
import type { Action } from "./action.ts";
import { actionOf } from "./action.ts";

interface Reading {
  readonly workspace: string | undefined;
  readonly believed: boolean;
  readonly action: Action;
}

const readings = new WeakMap<AhpEvent, Reading>();

/** The action of an event, read once however many look at it: rules, and the guards beside them. Events do not change. */
export function readAction(event: AhpEvent, workspace: string | undefined, believed = false): Action {
  const known = readings.get(event);
  if (known !== undefined && known.workspace === workspace && known.believed === believed)
    return known.action;
  const action = actionOf(event, workspace, believed);
  readings.set(event, { workspace, believed, action });
  return action;
}
