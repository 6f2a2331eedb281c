import { type Pausing } from "@fairlead/contract";
import { waitingOf } from "@fairlead/contract/view";
import { useAct } from "../lib/act.ts";
import { call, type Problem } from "../lib/api.ts";
import { useStorePart } from "../lib/store.ts";
import type { SessionFeed } from "../state/session-feed.ts";
import { useMay } from "../state/me.ts";
import { type Order, ordersOf } from "./orders.ts";

export interface Orders {
  readonly offered: readonly Order[];
  readonly pausing: Pausing | null;
  readonly waits: boolean;
  readonly busy: boolean;
  readonly problem: Problem | null;
  readonly give: (order: Order, reason?: string) => void;
}

const NONE: readonly Order[] = [];

/** What can be ordered of background work now, and the way to do it. A chat is stopped beside what is said to it. */
export function useOrders(id: string, feed: SessionFeed): Orders {
  const kind = useStorePart(feed, ({ summary }) => summary.state.kind);
  const status = useStorePart(feed, ({ summary }) => summary.state.status ?? "idle");
  // Who ordered it may sit elsewhere: it is said in every tab.
  const pausing = useStorePart(feed, ({ summary }) => summary.pausing);
  const waits = useStorePart(feed, ({ summary }) => waitingOf(summary) !== null);
  const may = useMay("operator");
  const { busy, problem, act } = useAct();
  const params = { id };
  const body = { reason: "From the cockpit." };

  function give(order: Order, reason = ""): void {
    switch (order) {
      case "accept":
        return void act(["accept", reason], () =>
          call("acceptSession", { params, body: reason === "" ? {} : { reason } }),
        );
      // A second cancel finds nothing to do: it needs no key.
      case "cancel":
        return void act("cancel", () => call("cancelSession", { params, body }));
      case "pause":
      case "resume": {
        const name = order === "pause" ? "pauseSession" : "resumeSession";
        return void act(name, (idempotencyKey) => call(name, { params, body, idempotencyKey }));
      }
    }
  }

  const offered =
    kind === "background" && may ? ordersOf(status, { pausing: pausing !== null, waits }) : NONE;
  return { offered, pausing, waits, busy, problem, give };
}
