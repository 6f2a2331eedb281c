import type { SessionState } from "@fairlead/contract";
import { Link, pathOf } from "../lib/router.tsx";
import { useMay } from "../state/me.ts";
import { Icon } from "../ui/icon.tsx";
import { Popover } from "../ui/popover.tsx";
import { Cancel } from "./cancel.tsx";
import type { Orders } from "./use-orders.ts";

/** What is done with a session now and then. */
export function More(props: {
  readonly id: string;
  readonly state: Partial<SessionState>;
  readonly orders: Orders;
  readonly onLimits: () => void;
}) {
  const { id, state, orders, onLimits } = props;
  const parent = state.parent_session_id ?? null;
  const compares = parent !== null && !isDelegated(state);
  const limits = useMay("operator") && state.kind !== "supervised";
  const cancels = orders.offered.includes("cancel");
  if (!compares && !limits && !cancels) return null;
  return (
    <Popover
      title="More to do"
      name="More to do"
      className="button quiet icon-only"
      label={<Icon name="more" />}
    >
      <div className="menu-list">
        {compares ? (
          <Link className="button quiet" href={pathOf("compare", { id, other: parent })}>
            <Icon name="branch" /> Compare with parent
          </Link>
        ) : null}
        {limits ? (
          <button type="button" className="button quiet" onClick={onLimits}>
            <Icon name="shield" /> Limits and modes
          </button>
        ) : null}
        {cancels ? <Cancel busy={orders.busy} onCancel={() => orders.give("cancel")} /> : null}
      </div>
    </Popover>
  );
}

/** A sub-agent has a log of its own: there is nothing that it shares with who delegated to it. */
function isDelegated({ delegation, depth = 0 }: Partial<SessionState>): boolean {
  return (delegation ?? null) !== null || depth > 0;
}
