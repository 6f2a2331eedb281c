import { useAct } from "../lib/act.ts";
import { Link, pathOf } from "../lib/router.tsx";
import { useMay } from "../state/me.ts";
import { Icon } from "../ui/icon.tsx";
import { ProblemNote } from "../ui/parts.tsx";
import { startDemo } from "./demo.ts";

/** Where there is nothing yet: one click that shows how it goes, and the way to work of one's own. */
export function FirstSteps() {
  const may = useMay("operator");
  const { busy, problem, act } = useAct();
  if (!may) return null;
  return (
    <>
      {problem === null ? null : <ProblemNote problem={problem} />}
      <div className="row wrap">
        <button
          type="button"
          className="button primary"
          disabled={busy}
          onClick={() => void act("demo", startDemo)}
        >
          <Icon name="play" /> Try the demo
        </button>
        <Link href={pathOf("start")} className="button">
          <Icon name="plus" /> New session
        </Link>
      </div>
      <p className="small dim">
        The demo needs no key. It plans, reads, and asks you before it writes a file.
      </p>
    </>
  );
}
