import { Icon, type IconName } from "../ui/icon.tsx";
import { Accept } from "./accept.tsx";
import type { Order } from "./orders.ts";
import type { Orders } from "./use-orders.ts";

const BUTTONS = {
  pause: ["pause", "Pause"],
  resume: ["play", "Resume"],
} as const satisfies Record<Exclude<Order, "accept" | "cancel">, readonly [IconName, string]>;

const UNDO = ["Do not pause", "Take the pause back: it goes on"] as const;
const NOW = "Resume: try it now, and not only when its time comes";

/** What is mostly ordered, in sight: the first has its word on every screen. What ends it is in the menu. */
export function Controls({ orders }: { readonly orders: Orders }) {
  const { offered, pausing, waits, busy, give } = orders;
  return offered
    .filter((order) => order !== "cancel")
    .map((order, place) => {
      if (order === "accept")
        return <Accept key={order} busy={busy} onAccept={(reason) => give("accept", reason)} />;
      const [icon, word] = BUTTONS[order];
      return (
        <button
          key={order}
          type="button"
          className="button"
          disabled={busy}
          title={pausing !== null ? UNDO[1] : order === "resume" && waits ? NOW : word}
          onClick={() => give(order)}
        >
          <Icon name={icon} />{" "}
          <span className={place === 0 ? undefined : "wide-only"}>{pausing === null ? word : UNDO[0]}</span>
        </button>
      );
    });
}
