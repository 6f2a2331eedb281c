import type { NewEvent } from "@fairlead/contract";
import { type Drive, envelopeOf, turnOf } from "../loop/context.ts";

type Settling = Pick<Drive, "journal">;

/** What was put aside for a call that was lost with its process: somebody may have to pay for it, so all of it counts. */
export function lostUsage(drive: Settling): NewEvent[] {
  return estimatedUsage(drive, true);
}

/** What was put aside for a call that was not made. */
export function releasedUsage(drive: Settling): NewEvent[] {
  return estimatedUsage(drive, false);
}

/** Where a call has ended and nobody said what it used. `charged`: all that was put aside counts, or nothing. */
export function estimatedUsage(drive: Settling, charged: boolean): NewEvent[] {
  const { reserved } = turnOf(drive);
  if (reserved === null) return [];
  const { step, attempt, tokens, cost_usd } = reserved;
  const used = charged ? tokens : 0;
  return [
    {
      ...envelopeOf(drive),
      type: "agent.usage",
      data: {
        input_tokens: used,
        output_tokens: 0,
        total_tokens: used,
        ...(cost_usd === undefined ? {} : { cost_usd: charged ? cost_usd : 0 }),
        estimated: true,
        step,
        attempt,
      },
    },
  ];
}
