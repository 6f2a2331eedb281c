import { useState } from "react";
import { useStore } from "../lib/store.ts";
import { tourDone } from "../state/settings.ts";

const STEPS: readonly (readonly [title: string, text: string])[] = [
  [
    "Questions come to you",
    "An agent that wants to change something stops and asks. The riskiest comes first, and the number in the title says how much waits. Nothing is lost when you close the page.",
  ],
  [
    "You see exactly what would happen",
    "The change side by side, or all arguments. Approve, deny with a reason that the agent hears, or edit. A yes can reach further: a turn, a session, a pattern.",
  ],
  [
    "Everything is recorded",
    "A session is its log. Branch from any row, compare, go on, or turn on Debug to see each event raw. Ctrl-K finds everything else.",
  ],
];

/** Three steps, once, beside the first entries: in nobody's way, and put away for good with one press. */
export function Tour() {
  const done = useStore(tourDone);
  const [at, setAt] = useState(0);
  const [title, text] = STEPS[at] ?? STEPS[0]!;
  const last = at === STEPS.length - 1;
  if (done) return null;
  return (
    <section className="card tour" aria-label="Tour">
      <div className="grow">
        <h2>{title}</h2>
        <p className="small" aria-live="polite">
          {text}
        </p>
      </div>
      <div className="row">
        <span className="dim tiny num">
          {at + 1} of {STEPS.length}
        </span>
        <button type="button" className="button quiet" onClick={() => tourDone.set(true)}>
          Skip
        </button>
        <button type="button" className="button" onClick={() => (last ? tourDone.set(true) : setAt(at + 1))}>
          {last ? "Done" : "Next"}
        </button>
      </div>
    </section>
  );
}
