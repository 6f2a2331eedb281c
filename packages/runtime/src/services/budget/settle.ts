import type { NewEvent } from "@fairlead/contract";
import { type Drive, envelopeOf, turnOf } from "../loop/context.ts";
import { settleDays } from "./days.ts";

type Settling = Pick<Drive, "journal" | "session">;

/** What was put aside for a call that was lost with its process: somebody may have to pay for it, so all of it counts. */
export function settleLost(drive: Settling): void {
  settleUnsaid(drive, true);
}

/** What was put aside for a call that was not made. */
export function release(drive: Settling): void {
  settleUnsaid(drive, false);
}

/** Where a call has ended and nobody said what it used. `charged`: all that was put aside counts, or nothing. */
export function settleUnsaid(drive: Settling, charged: boolean): void {
  const { reserved } = turnOf(drive);
  if (reserved === null) return;
  const { tokens, cost_usd = 0 } = charged ? reserved : { tokens: 0, cost_usd: 0 };
  settleDays(drive, reserved, { tokens, cost_usd });
  drive.journal.emit([usageEvent(drive, tokens, reserved.cost_usd === undefined ? undefined : cost_usd)]);
}

function usageEvent(drive: Settling, tokens: number, cost_usd: number | undefined): NewEvent {
  const { reserved } = turnOf(drive);
  return {
    ...envelopeOf(drive),
    type: "agent.usage",
    data: {
      input_tokens: tokens,
      output_tokens: 0,
      total_tokens: tokens,
      ...(cost_usd === undefined ? {} : { cost_usd }),
      estimated: true,
      step: reserved?.step ?? 0,
      attempt: reserved?.attempt ?? 0,
    },
  };
}
