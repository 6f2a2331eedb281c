import type { BlockingType } from "@fairlead/ahp";
import type { NewEvent } from "@fairlead/contract";
import { effectOf } from "../../domain/loop-supervision/effect-of.ts";
import type { EffectOf } from "../../domain/loop-supervision/effects.ts";
import { emitTurn } from "./begin.ts";
import { type Drive, envelopeOf, runOf } from "./context.ts";

/** Asks whoever answers for this, writes down what they said, and gives what the loop does about it. */
export async function consult<T extends BlockingType>(
  drive: Drive,
  type: T,
  payload: unknown,
): Promise<EffectOf<T> & { readonly by: string }> {
  const { supervision, journal } = drive;
  const envelope = envelopeOf(drive);
  const own = (records: readonly NewEvent[]) => records.map((record) => ({ ...envelope, ...record }));
  const judging = supervision.judge(runOf(drive), type, payload, async (before) => {
    journal.emit(own(before));
    await journal.flush();
  });
  const judgement = judging instanceof Promise ? await judging : judging;
  journal.emit(own(judgement.records));
  return { ...effectOf(type, judgement, payload), by: judgement.by };
}

/** The turn waits: a durable timer, that holds nothing here. */
export function parkFor(drive: Drive, ms: number, reason: string): void {
  const until = new Date(drive.clock.now() + Math.max(0, ms)).toISOString();
  emitTurn(drive, { kind: "park", reason, waits: [{ kind: "timer", until, reason }] });
}

export function blocked(drive: Drive, reason: string): void {
  emitTurn(drive, { kind: "fail", code: "blocked", error: reason });
}
