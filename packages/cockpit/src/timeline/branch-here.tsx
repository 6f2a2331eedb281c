import { useId, useState } from "react";
import { call, commandKey, type Problem, problemOf } from "../lib/api.ts";
import { navigate, pathOf } from "../lib/router.tsx";
import { Icon } from "../ui/icon.tsx";
import { ProblemNote } from "../ui/parts.tsx";
import { Popover } from "../ui/popover.tsx";

interface BranchProps {
  readonly sessionId: string;
  readonly background: boolean;
  readonly seq: number;
  readonly eventId: () => string;
}

const TITLE = "Branch here: a new session with the history up to and with this";
const CLASS = "button quiet icon-only branch-here";

/** A chat is branched at once, and waits. Background work begins by itself, so it is asked first what it should do. */
export function BranchHere({ sessionId, background, seq, eventId }: BranchProps) {
  const [problem, setProblem] = useState<Problem | null>(null);
  const [busy, setBusy] = useState(false);
  const label = `Branch here, at event ${seq}`;

  async function branch(said: string): Promise<void> {
    setBusy(true);
    setProblem(null);
    const input = said.trim() === "" ? {} : { input: said.trim() };
    const command = { params: { id: sessionId }, idempotencyKey: commandKey() };
    const from_event_id = eventId();
    try {
      const made = background
        ? await call("resumeSession", { ...command, body: { from_event_id, ...input } })
        : await call("branchChatSession", { ...command, body: { from_event_id } });
      navigate(pathOf("session", { id: made.session_id }));
    } catch (error) {
      setProblem(problemOf(error));
      setBusy(false);
    }
  }

  if (background)
    return (
      <Popover title={TITLE} name={label} className={CLASS} label={<Icon name="branch" />}>
        <Otherwise busy={busy} problem={problem} onBranch={(said) => void branch(said)} />
      </Popover>
    );
  return (
    <>
      <button
        type="button"
        className={CLASS}
        title={TITLE}
        aria-label={label}
        disabled={busy}
        onClick={() => void branch("")}
      >
        <Icon name="branch" />
      </button>
      {problem === null ? null : <ProblemNote problem={problem} />}
    </>
  );
}

function Otherwise(props: {
  readonly busy: boolean;
  readonly problem: Problem | null;
  readonly onBranch: (said: string) => void;
}) {
  const id = useId();
  const [said, setSaid] = useState("");
  return (
    <form
      className="stack"
      onSubmit={(event) => {
        event.preventDefault();
        props.onBranch(said);
      }}
    >
      <div className="field">
        <label htmlFor={id}>What should it do from here? Left empty, it goes on with its task.</label>
        <textarea
          id={id}
          className="input"
          rows={3}
          value={said}
          onChange={(event) => setSaid(event.target.value)}
        />
      </div>
      {props.problem === null ? null : <ProblemNote problem={props.problem} />}
      <button type="submit" className="button primary" disabled={props.busy}>
        <Icon name="branch" /> Branch
      </button>
    </form>
  );
}
