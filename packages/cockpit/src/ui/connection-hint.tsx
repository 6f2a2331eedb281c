import type { Connection } from "../state/follow.ts";
import { Icon } from "./icon.tsx";

/** Calm: nothing is lost, and nobody has to do anything. Who does not want to wait asks as if the network were back. */
export function ConnectionHint({ connection }: { readonly connection: Connection }) {
  return (
    <div role="status">
      {connection === "waiting" ? (
        <div className="hint">
          <Icon name="working" spin /> Reconnecting. What you see is as it was; nothing is lost.{" "}
          <button type="button" className="button quiet" onClick={() => dispatchEvent(new Event("online"))}>
            Try now
          </button>
        </div>
      ) : null}
    </div>
  );
}
