import { QuestionCard } from "../questions/card.tsx";
import { useQuestion } from "../questions/asked.ts";
import type { Question } from "../questions/model.ts";
import { refreshInbox } from "../state/inbox.ts";
import { decisionSign } from "../ui/chip.tsx";
import { Note, ProblemNote } from "../ui/parts.tsx";
import { Visible } from "../ui/visible.tsx";

/** What the person set out to do. */
export type Begin = "approve" | "deny" | "edit";

/** A question opened where it stands in the list. Nobody decides what they have not been shown. */
export function QuickDecision(props: {
  readonly id: string;
  readonly mode: Begin;
  /** It waits no longer: somebody else decided it, or time did. */
  readonly gone: boolean;
  readonly onDecided: () => void;
  readonly onClose: () => void;
}) {
  const { id, mode, gone, onDecided, onClose } = props;
  const { question, problem } = useQuestion(id, gone);
  if (question === null) return problem === null ? null : <ProblemNote problem={problem} />;
  return (
    <div
      className="quick"
      onKeyDown={(event) => {
        // What lies over the page is closed first.
        if (event.key !== "Escape" || event.defaultPrevented || isOver()) return;
        event.preventDefault();
        onClose();
      }}
    >
      <QuestionCard
        question={question}
        mayDecide
        begin={mode}
        onDecided={() => {
          refreshInbox();
          onDecided();
        }}
        onClose={onClose}
      />
      {gone ? <Meanwhile question={question} onClose={onClose} /> : null}
    </div>
  );
}

/** Said where the form was, until the person has read it. */
function Meanwhile({
  question: { decided },
  onClose,
}: {
  readonly question: Question;
  readonly onClose: () => void;
}) {
  const word = decided === null ? null : decisionSign(decided.decision, decided.moot).word;
  return (
    <div role="status">
      <Note>
        {decided === null || word === null ? (
          "It no longer waits for a decision."
        ) : (
          <>
            {word} by <Visible text={decided.actor} /> just now. Nothing was sent from here.
          </>
        )}{" "}
        <button type="button" className="button" onClick={onClose}>
          Dismiss
        </button>
      </Note>
    </div>
  );
}

function isOver(): boolean {
  return document.querySelector("dialog[open], :popover-open") !== null;
}
