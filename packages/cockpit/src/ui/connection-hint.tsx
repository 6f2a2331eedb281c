import type { Connection } from "../state/follow.ts";
import { Icon } from "./icon.tsx";

/** Calm: nothing is lost, and nobody has to do anything. */
export function ConnectionHint({ connection }: { readonly connection: Connection }) {
  return (
    <div role="status">
      {connection === "waiting" ? (
        <div className="hint">
          <Icon name="working" spin /> Reconnecting. What you see is as it was; nothing is lost.
        </div>
      ) : null}
    </div>
  );
}
