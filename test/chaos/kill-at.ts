import type { Append, EventLog } from "../../packages/runtime/src/ports/event-log.ts";
import type { Point } from "./points.ts";

export interface Counted {
  commits: number;
  events: number;
}

/** Counts what becomes durable. At the point it calls `reached`, and from there on nothing is written and nobody is told. */
export function killAt(
  log: EventLog,
  point: Point | undefined,
  counted: Counted,
  reached: () => void,
): EventLog {
  let shut = false;
  function die(): Promise<never> {
    if (!shut) reached();
    shut = true;
    return new Promise<never>(() => {});
  }
  return {
    ...log,
    async append(append) {
      if (shut || (point?.moment === "acted" && counted.commits >= point.commit)) return die();
      const appended = await log.append(append);
      if (shut) return die();
      if (!appended.ok) return appended;
      counted.commits += 1;
      counted.events += eventsOf(append);
      return point?.moment === "unheard" && counted.commits === point.commit ? die() : appended;
    },
  };
}

function eventsOf({ writes }: Append): number {
  return writes.reduce((sum, { events }) => sum + events.length, 0);
}
