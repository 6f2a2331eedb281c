import { useState } from "react";
import { Link, pathOf } from "../lib/router.tsx";
import { type Problem, problemOf } from "../lib/api.ts";
import { startDemo } from "../start/demo.ts";
import { useMay } from "../state/me.ts";
import { Icon } from "../ui/icon.tsx";
import { Empty, ProblemNote } from "../ui/parts.tsx";

/** An inbox that was never used: what will be here, and one click that fills it. */
export function FirstRun({ name }: { readonly name: string }) {
  const mayStart = useMay("operator");
  const [problem, setProblem] = useState<Problem | null>(null);
  const [busy, setBusy] = useState(false);
  async function demo(): Promise<void> {
    setBusy(true);
    await startDemo().catch((error: unknown) => setProblem(problemOf(error)));
    setBusy(false);
  }
  return (
    <Empty icon="inbox" title={name === "" ? "Welcome" : `Welcome, ${name}`}>
      <p>
        Here you find everything that needs you: questions of agents first, then what failed, what is done,
        and what is at work. Nothing has run yet.
      </p>
      {problem === null ? null : <ProblemNote problem={problem} />}
      {mayStart ? (
        <div className="row wrap">
          <button type="button" className="button primary" disabled={busy} onClick={() => void demo()}>
            <Icon name="play" /> Try the demo
          </button>
          <Link href={pathOf("start")} className="button">
            <Icon name="plus" /> New session
          </Link>
        </div>
      ) : null}
      <p className="small dim">
        The demo needs no key. It plans, reads, and asks you before it writes a file.
      </p>
    </Empty>
  );
}
