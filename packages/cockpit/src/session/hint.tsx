import { type Summary, wishedBy } from "@fairlead/contract/view";
import { visible } from "@fairlead/contract/visible";
import { clockTime } from "../lib/time.ts";
import type { Detail } from "../panels/detail.ts";
import { Icon } from "../ui/icon.tsx";
import { healthOf, hintOf } from "./health.ts";

/** What would help, in a line that background work always has: the page does not jump when there is something to say. */
export function HeadHint({ summary, detail }: { readonly summary: Summary; readonly detail: Detail | null }) {
  const { pausing, state } = summary;
  const health = healthOf(summary, detail);
  const hint = health === null ? null : hintOf(health, clockTime);
  const told = pausing === null ? "" : `Pausing after this step, as ${wishedBy(pausing.actor)} wants …`;
  if (state.kind !== "background" && hint === null && told === "") return null;
  return (
    <div className="tiny head-hint" title={visible(told || (hint ?? ""))}>
      <span role="status">{visible(told)}</span>
      {told !== "" || hint === null ? null : (
        <>
          <Icon name="steer" /> {visible(hint)}
        </>
      )}
    </div>
  );
}
