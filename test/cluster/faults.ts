import { setTimeout as passes } from "node:timers/promises";
import type { Chance } from "./chance.ts";
import type { Member } from "./member.ts";

export const FAULTS = ["kill", "freeze", "cut"] as const;
export type Fault = (typeof FAULTS)[number];

/** Longer than a lease, which is 3 s: others have taken over when it goes on. */
const FROZEN_MS = 4_500;
const MOST_PAUSE_MS = 1_200;

/** Each kind `rounds` times, in an order of chance. */
export function schedule(chance: Chance, rounds: number): Fault[] {
  const left = FAULTS.flatMap((fault) => Array.from({ length: rounds }, () => fault));
  return left
    .map((fault) => ({ fault, at: chance.next() }))
    .toSorted((a, b) => a.at - b.at)
    .map(({ fault }) => fault);
}

/** Does them one after another to members that are there, each after `before`; who is frozen stays so while others are struck. */
export async function strike(
  members: readonly Member[],
  faults: readonly Fault[],
  chance: Chance,
  before: () => void,
): Promise<void> {
  const thawing = new Map<Member, Promise<void>>();
  for (const fault of faults) {
    before();
    await passes(chance.below(MOST_PAUSE_MS));
    // One is always left to go on with the work of the others.
    while (thawing.size >= members.length - 1) await Promise.race(thawing.values());
    const member = chance.pick(members.filter((one) => !thawing.has(one)));
    if (member === undefined) continue;
    if (fault === "cut") await member.cut();
    else if (fault === "kill") {
      await member.kill();
      await member.start();
    } else {
      member.freeze();
      const thawed = passes(FROZEN_MS).then(() => {
        member.thaw();
        thawing.delete(member);
      });
      thawing.set(member, thawed);
    }
  }
  await Promise.all(thawing.values());
}
