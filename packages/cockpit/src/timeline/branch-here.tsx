import { useId } from "react";
import { useAct } from "../lib/act.ts";
import { LEFT } from "../lib/acts.ts";
import { call, type Problem } from "../lib/api.ts";
import { useKept } from "../lib/kept.ts";
import { navigate, pathOf } from "../lib/router.tsx";
import { AS_BEFORE, changesOf, type Fork, ForkFields } from "../start/fork.tsx";
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

/** A new session that goes on from here, otherwise where somebody says so. A chat waits; background work begins by itself. */
export function BranchHere({ sessionId, background, seq, eventId }: BranchProps) {
  const { busy, problem, act } = useAct();

  function branch(said: string, fork: Fork): Promise<void> {
    const input = said.trim() === "" ? {} : { input: said.trim() };
    const body = { from_event_id: eventId(), ...changesOf(fork) };
    return act([body, input], async (idempotencyKey) => {
      const command = { params: { id: sessionId }, idempotencyKey };
      const made = background
        ? await call("resumeSession", { ...command, body: { ...body, ...input } })
        : await call("branchChatSession", { ...command, body });
      navigate(pathOf("session", { id: made.session_id }));
      return LEFT;
    });
  }

  return (
    <Popover
      title={TITLE}
      name={`Branch here, at event ${seq}`}
      className={CLASS}
      label={<Icon name="branch" />}
    >
      <Otherwise
        seq={seq}
        background={background}
        busy={busy}
        problem={problem}
        onBranch={(said, fork) => void branch(said, fork)}
      />
    </Popover>
  );
}

function Otherwise(props: {
  readonly seq: number;
  readonly background: boolean;
  readonly busy: boolean;
  readonly problem: Problem | null;
  readonly onBranch: (said: string, fork: Fork) => void;
}) {
  const id = useId();
  const [said, setSaid] = useKept(`branch at ${props.seq}, said`, () => "");
  const [fork, setFork] = useKept(`branch at ${props.seq}, otherwise`, () => AS_BEFORE);
  return (
    <form
      className="stack"
      onSubmit={(event) => {
        event.preventDefault();
        props.onBranch(said, fork);
      }}
    >
      {props.background ? (
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
      ) : (
        <p className="small">A new chat with everything up to here. This one stays as it is.</p>
      )}
      <ForkFields fork={fork} onChange={setFork} />
      {props.problem === null ? null : <ProblemNote problem={props.problem} />}
      <button type="submit" className="button primary" disabled={props.busy}>
        <Icon name="branch" /> Branch
      </button>
    </form>
  );
}
