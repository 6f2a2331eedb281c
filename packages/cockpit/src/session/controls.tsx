import { waitingOf, wishedBy } from "@fairlead/contract/view";
import { useAct } from "../lib/act.ts";
import { call } from "../lib/api.ts";
import { useStorePart } from "../lib/store.ts";
import type { SessionFeed } from "../state/session-feed.ts";
import { useMay } from "../state/me.ts";
import { Icon, type IconName } from "../ui/icon.tsx";
import { ProblemNote } from "../ui/parts.tsx";
import { Accept } from "./accept.tsx";
import { Cancel } from "./cancel.tsx";
import { type Order, ordersOf } from "./orders.ts";

const BUTTONS = {
  pause: ["pauseSession", "pause", "Pause"],
  resume: ["resumeSession", "play", "Resume"],
} as const satisfies Record<Exclude<Order, "accept" | "cancel">, readonly [string, IconName, string]>;

const UNDO = ["Do not pause", "Take the pause back: it goes on"] as const;
const NOW = "Resume: try it now, and not only when its time comes";

/** Pause, resume, accept and cancel of background work. A chat is stopped beside what is said to it. */
export function Controls({ id, feed }: { readonly id: string; readonly feed: SessionFeed }) {
  const kind = useStorePart(feed, ({ summary }) => summary.state.kind);
  const status = useStorePart(feed, ({ summary }) => summary.state.status ?? "idle");
  const may = useMay("operator");
  const { busy, problem, act } = useAct();
  // Who ordered it may sit elsewhere: it is said in every tab.
  const pausing = useStorePart(feed, ({ summary }) => summary.pausing);
  const waits = useStorePart(feed, ({ summary }) => waitingOf(summary) !== null);
  if (kind !== "background" || !may) return null;

  const params = { id };
  const body = { reason: "From the cockpit." };
  return (
    <>
      {problem === null ? null : <ProblemNote problem={problem} />}
      <span role="status" className="small dim">
        {pausing === null ? "" : `Pausing after this step, as ${wishedBy(pausing.actor)} wants …`}
      </span>
      {ordersOf(status, { pausing: pausing !== null, waits }).map((order) => {
        if (order === "accept")
          return (
            <Accept
              key={order}
              busy={busy}
              onAccept={(reason) =>
                void act(["accept", reason], () =>
                  call("acceptSession", { params, body: reason === "" ? {} : { reason } }),
                )
              }
            />
          );
        // A second cancel finds nothing to do: it needs no key.
        if (order === "cancel")
          return (
            <Cancel
              key={order}
              busy={busy}
              onCancel={() => void act("cancel", () => call("cancelSession", { params, body }))}
            />
          );
        const [name, icon, word] = BUTTONS[order];
        return (
          <button
            key={order}
            type="button"
            className="button"
            disabled={busy}
            title={pausing !== null ? UNDO[1] : order === "resume" && waits ? NOW : word}
            onClick={() => void act(name, (idempotencyKey) => call(name, { params, body, idempotencyKey }))}
          >
            <Icon name={icon} /> <span className="wide-only">{pausing === null ? word : UNDO[0]}</span>
          </button>
        );
      })}
    </>
  );
}
