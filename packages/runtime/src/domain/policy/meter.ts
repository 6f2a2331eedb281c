/**
 * What reading one event may cost, all its texts together: with a limit for each text alone, one message with many
 * of them would keep everybody else waiting.
 */
export const MOST = {
  /** Characters of the payload that may mean something. */
  strings: 262_144,
  /** Characters of command lines, those inside others included. */
  text: 131_072,
  /** Characters that commands and paths come to, once braces, variables and directories are written out. */
  made: 262_144,
  commands: 1_000,
} as const;

export type Cost = keyof typeof MOST;

/** What is left. Once something did not fit, the event is not readable, and nothing more is read. */
export interface Meter {
  readonly left: Record<Cost, number>;
  exceeded: boolean;
}

export function newMeter(): Meter {
  return { left: { ...MOST }, exceeded: false };
}

/** Takes the amount, or as much as is left, and gives what it took. */
export function take(meter: Meter, cost: Cost, amount: number): number {
  const taken = Math.min(amount, meter.left[cost]);
  meter.left[cost] -= taken;
  if (taken < amount) meter.exceeded = true;
  return taken;
}

/** Whether all of the amount was left. */
export function spend(meter: Meter, cost: Cost, amount: number): boolean {
  return take(meter, cost, amount) === amount;
}
