import { TURN_FAILURES } from "@fairlead/contract";
import { isBackground, isExpired } from "../../domain/kernel/background.ts";
import type { KernelStep } from "../../domain/kernel/next.ts";
import { expiredEvents, holdEvents, releaseEvents } from "../../domain/kernel/session-events.ts";
import { beginStep } from "../../domain/kernel/steps.ts";
import { GOES_ON, tellWorking } from "../delegation/hold.ts";
import { type Drive, envelopeOf } from "../loop/context.ts";
import { endTurn } from "../loop/end.ts";

type Own = Extract<KernelStep, { kind: "hold" | "drop" }>;

/** What only background work does between its turns. */
export async function kernelStep(drive: Drive, step: Own): Promise<void> {
  const { journal } = drive;
  let nudge = () => {};
  switch (step.kind) {
    case "hold":
      journal.emit(holdEvents(journal.state, nowOf(journal)));
      nudge = tellPaused(drive);
      break;
    case "drop":
      journal.emit(
        step.inputs.map(({ input_id }) => ({
          type: "runtime.input.taken",
          data: { input_id, dropped: "The session has ended." },
        })),
      );
  }
  await journal.flush();
  nudge();
}

/** What a session delegated waits with it, and goes on with it. Returns what to do when that is durable. */
export function tellPaused(drive: Drive): () => void {
  const { paused } = drive.journal.state;
  return paused === null ? () => {} : tellWorking(drive, { type: "runtime.session.pausing", ...paused });
}

/** To be called before anything is begun or gone on with. Ends what should not be any more; whether it was so. */
export async function expireWhenDue(drive: Drive): Promise<boolean> {
  const { journal } = drive;
  const released = releaseEvents(journal.state, nowOf(journal));
  journal.emit(released);
  if (released.length > 0) tellWorking(drive, GOES_ON);
  if (!isExpired(journal.state.settings, journal.now())) return false;
  if (journal.state.turn === null) journal.emit(expiredEvents(journal.state, nowOf(journal)));
  else await endTurn(drive, { kind: "fail", code: "expired", error: TURN_FAILURES.expired });
  return true;
}

/** Says where background work stands, before the model is asked. */
export function reportStep(drive: Drive, step: number): void {
  const { journal, session } = drive;
  if (!isBackground(journal.state.settings)) return;
  const envelope = envelopeOf(drive);
  journal.emit(beginStep(journal.state, session, step).map((event) => ({ ...envelope, ...event })));
}

function nowOf({ now }: Drive["journal"]): string {
  return new Date(now()).toISOString();
}
