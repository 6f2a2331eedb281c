import { useEffect, useState } from "react";
import { call, type Problem, problemOf } from "../lib/api.ts";
import { QuestionCard } from "../questions/card.tsx";
import { ofRow, type Question } from "../questions/model.ts";
import { refreshInbox } from "../state/inbox.ts";
import { ProblemNote } from "../ui/parts.tsx";

/** A question opened where it stands in the list. Nobody decides what they have not been shown. */
export function QuickDecision(props: {
  readonly id: string;
  readonly mode: "approve" | "deny";
  readonly onDecided: () => void;
  readonly onClose: () => void;
}) {
  const { id, mode, onDecided, onClose } = props;
  const [question, setQuestion] = useState<Question | null>(null);
  const [problem, setProblem] = useState<Problem | null>(null);
  useEffect(() => {
    let wanted = true;
    call("getQuestion", { params: { id: id as never } }).then(
      (row) => wanted && setQuestion(ofRow(row)),
      (error: unknown) => wanted && setProblem(problemOf(error)),
    );
    return () => void (wanted = false);
  }, [id]);
  if (problem !== null) return <ProblemNote problem={problem} />;
  if (question === null) return null;
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
    </div>
  );
}

function isOver(): boolean {
  return document.querySelector("dialog[open], :popover-open") !== null;
}
