import type { BlockingType } from "../../protocol/events.ts";
import type { ServerCheck, ServerChecks } from "../check.ts";
import { DECISIONS } from "../samples/decisions.ts";
import { eventOf } from "../samples/messages.ts";
import { scripted } from "../script.ts";
import { askEvent, assertResult } from "../trial.ts";

function answered(type: BlockingType, decision: unknown): ServerCheck {
  return async ({ wire, tag }) => {
    const event = eventOf(type, scripted({ tag: tag(), answer: decision }));
    assertResult(await askEvent(wire, event), decision);
  };
}

export const decisions: ServerChecks = Object.fromEntries(
  Object.entries(DECISIONS).flatMap(([type, variants]) =>
    Object.entries(variants).map(([variant, decision]) => [
      `decision:${type}:${variant}`,
      answered(type as BlockingType, decision),
    ]),
  ),
);
