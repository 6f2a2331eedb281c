import { visible } from "@fairlead/contract/visible";
import { crossingsOf, HEALTH_ORIGIN } from "@fairlead/contract/view";
import { memo, useEffect, useState } from "react";
import { call } from "../lib/api.ts";
import { Chip, DECISION_SIGNS, RISK_SIGNS } from "../ui/chip.tsx";
import { Diff } from "../ui/diff.tsx";
import { Code } from "../ui/code.tsx";
import { Icon } from "../ui/icon.tsx";
import { Age, Note } from "../ui/parts.tsx";
import { LimitsButton } from "../session/limits.tsx";
import { Arguments } from "./arguments.tsx";
import { Crossings } from "./crossings.tsx";
import { DecideForm } from "./form.tsx";
import { ofRow, type Question, shownParts } from "./model.ts";
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
  readonly begin?: "approve" | "deny";
  readonly onDecided?: () => void;
  readonly onClose?: () => void;
}

/** What a person needs to decide: what, why, how dangerous, and exactly what would happen. */
export const QuestionCard = memo(function QuestionCard(props: CardProps) {
  const { partial = false, mayDecide, keys = false, heading: Heading = "h3" } = props;
  const { begin, onDecided, onClose } = props;
  const [fresh, setFresh] = useState<Question | null>(null);
  const question = fresh !== null && props.question.decided === null ? fresh : props.question;
  const { requestId } = props.question;
  useEffect(() => {
    if (!partial) return;
    let wanted = true;
    call("getQuestion", { params: { id: requestId as never } }).then(
      (row) => wanted && setFresh(ofRow(row)),
      () => {},
    );
    return () => void (wanted = false);
  }, [partial, requestId]);

  const open = question.decided === null;
  return (
    <section
      className={`question ${open ? "open" : "decided"}`}
      aria-label={`${visible(question.tool)} asks for a decision`}
      data-request={requestId}
    >
      <header className="row wrap">
        <Icon name={open ? "hand" : "check"} />
        <Heading className="grow question-title">
          <code>
            <Visible text={question.tool} />
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
      {partial && fresh === null ? (
        <p className="dim small">Fetching all that is asked for …</p>
      ) : (
        <Details key={String(open)} question={question} open={open} />
      )}
      {open && !mayDecide ? <Note>Your role may look, and not decide.</Note> : null}
      {open && mayDecide && !(partial && fresh === null) ? (
        <DecideForm
          question={question}
          keys={keys}
          begin={begin}
          onClose={onClose}
          onSettled={(row, mine) => {
            setFresh(ofRow(row));
            if (mine) onDecided?.();
          }}
        />
      ) : null}
    </section>
  );
});

function asking({ asks, origin }: Question): string {
  if (origin === HEALTH_ORIGIN) return "asks whether it may go on: a budget is used up";
  return asks === "approval" ? "asks for a yes" : asks === "user_input" ? "asks you" : "asks for a result";
}

function Outcome({ question: { decided } }: { readonly question: Question }) {
  if (decided === null) return null;
  const sign = DECISION_SIGNS[decided.decision] ?? DECISION_SIGNS["expired"]!;
  return (
    <p className="row wrap small">
      <Chip sign={sign} />
      <span className="dim">
        by {decided.actor}
        {decided.reach === null ? "" : `, for ${decided.reach}`}
      </span>
      {decided.note === null ? null : <q>{decided.note}</q>}
    </p>
  );
}

function Details({ question, open }: { readonly question: Question; readonly open: boolean }) {
  const { diff, args, rest, repairs } = shownParts(question.shown);
  const crossed = question.origin === HEALTH_ORIGIN ? crossingsOf(question.shown) : [];
  if (crossed.length > 0)
    return (
      <>
        <Crossings crossed={crossed} />
        {open ? (
          <p className="small dim">
            A yes lets it go on with as much again. A no ends the turn. Or raise the limit:{" "}
            <LimitsButton sessionId={question.sessionId} />
          </p>
        ) : null}
      </>
    );
  const body = (
    <div className="stack">
      {repairs.length === 0 ? null : (
        <Note tone="warn">The call was mended before it was shown: {visible(repairs.join(" "))}</Note>
      )}
      {diff === null ? null : <Diff text={diff} />}
      {diff === null && args !== null ? <Arguments args={args} /> : null}
      {rest === null || rest === undefined ? null : <Code value={rest} label="What is asked" />}
      {diff === null || args === null ? null : (
        <details>
          <summary className="small dim">All arguments</summary>
          <Arguments args={args} />
        </details>
      )}
    </div>
  );
  if (open) return body;
  return (
    <details>
      <summary className="small dim">What was asked</summary>
      {body}
    </details>
  );
}
