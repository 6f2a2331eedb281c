import { visible } from "@fairlead/contract/visible";
import { crossingsOf, HEALTH_ORIGIN } from "@fairlead/contract/view";
import { memo, useRef, useState } from "react";
import type { Problem } from "../lib/api.ts";
import { Chip, decisionSign, RISK_SIGNS } from "../ui/chip.tsx";
import { Guarded } from "../ui/guarded.tsx";
import { Icon } from "../ui/icon.tsx";
import { Age, Note } from "../ui/parts.tsx";
import { useReading } from "../ui/reading.ts";
import { Arguments } from "./arguments.tsx";
import { useQuestion } from "./asked.ts";
import { Details } from "./details.tsx";
import { DecideForm } from "./form.tsx";
import { askerOf, ofRow, type Question, shownParts } from "./model.ts";
import { Visible } from "../ui/visible.tsx";

interface CardProps {
  readonly question: Question;
  /** Parts of what is shown are too large for the log: fetched before anybody can decide. */
  readonly partial?: boolean;
  readonly mayDecide: boolean;
  /** Where letters may be keys: on the page of one question. */
  readonly keys?: boolean;
  readonly heading?: "h1" | "h2" | "h3";
  /** What the person set out to do. */
  readonly begin?: "approve" | "deny" | "edit";
  readonly onDecided?: () => void;
  readonly onClose?: () => void;
}

/** What a person needs to decide: what, why, how dangerous, and exactly what would happen. */
export const QuestionCard = memo(function QuestionCard(props: CardProps) {
  const { partial = false, mayDecide, keys = false, heading: Heading = "h3" } = props;
  const { begin, onDecided, onClose } = props;
  const { requestId } = props.question;
  const [settled, setSettled] = useState<Question | null>(null);
  const fetched = useQuestion(partial ? requestId : null, null);
  const fresh = settled ?? fetched.question;
  const question = fresh !== null && props.question.decided === null ? fresh : props.question;
  const section = useRef<HTMLElement>(null);

  const open = question.decided === null;
  // Nobody says yes to what was not shown to them.
  const whole = !partial || fresh !== null;
  const reading = useReading(shownParts(question.shown).diff ?? "", requestId);
  return (
    <section
      ref={section}
      className={`question ${open ? "open" : "decided"}`}
      aria-label={`${visible(askerOf(question.tool))} asks for a decision`}
      data-request={requestId}
    >
      <header className="row wrap">
        <Icon name={signOf(question).icon} />
        <Heading className="grow question-title">
          <code>
            <Visible text={askerOf(question.tool)} />
          </code>{" "}
          {open ? asking(question) : "asked"}
        </Heading>
        {question.risk === null ? null : <Chip sign={RISK_SIGNS[question.risk] ?? RISK_SIGNS["high"]!} />}
        <span className="dim tiny">
          <Age at={question.askedAt} />
        </span>
      </header>
      {question.reason === "" || question.origin === HEALTH_ORIGIN ? null : (
        <p className="small">
          <Visible text={question.reason} />
        </p>
      )}
      <Outcome question={question} />
      <Changed question={question} />
      {whole ? (
        <Guarded what="part of the question" of={question.shown} always>
          <Details key={String(open)} question={question} open={open} reading={reading} />
        </Guarded>
      ) : (
        <Fetching problem={fetched.problem} />
      )}
      {open && !mayDecide ? <Note>Your role may look, and not decide.</Note> : null}
      {open && mayDecide && whole && !reading.whole ? (
        <Note tone="warn">
          Not all of the change is shown yet, so it cannot be decided.{" "}
          <button
            type="button"
            className="button"
            onClick={() => {
              reading.showAll();
              // The button goes away: on to what is to be read, and not to a yes.
              section.current?.querySelector<HTMLElement>(".diff-body")?.focus();
            }}
          >
            Show all {reading.lines} lines first
          </button>
        </Note>
      ) : null}
      {open && mayDecide && whole && reading.whole ? (
        <DecideForm
          question={question}
          keys={keys}
          // Who was just shown the rest reads it: no yes lies under their finger.
          begin={begin === "approve" && reading.long ? undefined : begin}
          onClose={onClose}
          onSettled={(row, mine) => {
            setSettled(ofRow(row));
            if (mine) onDecided?.();
          }}
        />
      ) : null}
    </section>
  );
});

/** What is asked for is too large for the log, and comes by itself. */
function Fetching({ problem }: { readonly problem: Problem | null }) {
  if (problem === null) return <p className="dim small">Fetching all that is asked for …</p>;
  return (
    <Note tone="warn">
      All that is asked for could not be fetched, so it cannot be decided here yet. {problem.message}{" "}
      {problem.hint}
    </Note>
  );
}

function asking({ asks, origin, shown }: Question): string {
  if (origin === HEALTH_ORIGIN) {
    const passed = crossingsOf(shown).some(({ used, value, limit }) => (used ?? value) >= limit);
    return passed ? "asks to go on: one is used up" : "asks to go on: the next call may pass one";
  }
  return asks === "approval" ? "asks for a yes" : asks === "user_input" ? "asks you" : "asks for a result";
}

const signOf = ({ decided }: Question) => decisionSign(decided?.decision ?? "pending", decided?.moot);

function Outcome({ question: { decided } }: { readonly question: Question }) {
  if (decided === null) return null;
  return (
    <p className="row wrap small">
      <Chip sign={decisionSign(decided.decision, decided.moot)} />
      <span className="dim">
        by {decided.actor}
        {decided.reach === null ? "" : `, for ${decided.reach}`}
      </span>
      {decided.note === null ? null : <q>{decided.note}</q>}
    </p>
  );
}

/** What is done instead of what was asked. */
function Changed({ question: { decided, shown } }: { readonly question: Question }) {
  const edited = decided?.edited;
  if (typeof edited !== "object" || edited === null || Array.isArray(edited)) return null;
  const asked = shownParts(shown).args ?? {};
  const same = (name: string, value: unknown): boolean =>
    JSON.stringify(asked[name]) === JSON.stringify(value);
  const changed = Object.entries(edited).filter(([name, value]) => !same(name, value));
  const left = Object.keys(asked).filter((name) => !Object.hasOwn(edited, name));
  return (
    <div className="stack">
      <p className="small">It runs with these changes:</p>
      <Arguments args={Object.fromEntries(changed)} />
      {left.length === 0 ? null : <p className="small">Left out: {visible(left.join(", "))}</p>}
    </div>
  );
}
