import { useState } from "react";
import type { Problem } from "../lib/api.ts";
import { useKeys } from "../lib/keys.ts";
import { Link, navigate, pathOf } from "../lib/router.tsx";
import { useStore } from "../lib/store.ts";
import { useTitle } from "../lib/title.ts";
import { inbox, refreshInbox } from "../state/inbox.ts";
import { useMay } from "../state/me.ts";
import { ConnectionHint } from "../ui/connection-hint.tsx";
import { NotHere } from "../ui/not-here.tsx";
import { Note, ProblemNote } from "../ui/parts.tsx";
import { ReadingHint } from "../ui/reading-hint.tsx";
import { QuestionCard } from "./card.tsx";
import { useQuestion } from "./asked.ts";
import { askerOf, type Question } from "./model.ts";
import { Whose } from "./whose.tsx";

const FINAL: ReadonlySet<string> = new Set([
  "question_not_found",
  "invalid_id",
  "session_purged",
  "forbidden",
]);
/** Asking again gives the same answer. */
const isFinal = ({ code }: Problem): boolean => FINAL.has(code);

/** One question by itself: what a link in a message leads to, also on a phone. */
export function QuestionPage({ id }: { readonly id: string }) {
  const { connection, inbox: all } = useStore(inbox);
  const mayDecide = useMay("operator");
  // Looked at again whenever something in the inbox moved.
  const { question, problem } = useQuestion(id, all);
  const [mine, setMine] = useState(false);
  const next = all?.entries.find(({ request_id }) => request_id !== null && request_id !== id);
  const open = question?.decided === null;
  useTitle(question === null ? "Approval" : `${askerOf(question.tool)} asks`);
  useKeys(
    !open && next?.request_id != null
      ? { j: () => navigate(pathOf("question", { id: next.request_id! })) }
      : {},
  );

  return (
    <>
      <ConnectionHint connection={connection} />
      <div className="page narrow">
        <Trouble problem={problem} shown={question !== null} />
        {question === null && problem === null ? <ReadingHint what="what is asked" /> : null}
        {question === null ? null : (
          <div className="card question-page">
            <Whose question={question} />
            <QuestionCard
              key={id}
              question={question}
              mayDecide={mayDecide}
              keys
              heading="h1"
              onDecided={() => {
                setMine(true);
                refreshInbox();
              }}
            />
          </div>
        )}
        {open || question === null ? null : (
          <Note tone={mine ? "good" : "calm"}>
            {mine ? "Your decision is in the log." : overOf(question)}{" "}
            {next?.request_id == null ? (
              <Link href={pathOf("inbox")}>Back to the inbox</Link>
            ) : (
              <Link href={pathOf("question", { id: next.request_id })}>
                The next one waits: {askerOf(next.tool_name ?? "")}
              </Link>
            )}
          </Note>
        )}
      </div>
    </>
  );
}

/** Why there is nothing to decide. */
function overOf({ decided }: Question): string {
  if (decided?.moot === true) return "This was withdrawn: what it asked about holds no more.";
  return decided?.decision === "expired" ? "It waits for no decision any more." : "This was decided already.";
}

/** Why it cannot be had, or not anew. What will not change by asking again offers ways to elsewhere. */
function Trouble({ problem, shown }: { readonly problem: Problem | null; readonly shown: boolean }) {
  // What is shown stays as it was; the hint says that nobody answers.
  if (problem === null || (shown && !isFinal(problem))) return null;
  if (isFinal(problem) && !shown) return <NotHere title="This question is not here" problem={problem} />;
  return <ProblemNote problem={problem} />;
}
