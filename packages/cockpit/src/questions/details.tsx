import { crossingsOf, HEALTH_ORIGIN } from "@fairlead/contract/view";
import { visible } from "@fairlead/contract/visible";
import { LimitsButton } from "../session/limits.tsx";
import { Code } from "../ui/code.tsx";
import { Fold } from "../ui/fold.tsx";
import { useStore } from "../lib/store.ts";
import { debugTier } from "../state/settings.ts";
import { isByLine } from "../lib/diff-shown.ts";
import { ReadDiff } from "../ui/diff.tsx";
import { Note } from "../ui/parts.tsx";
import type { Reading } from "../ui/reading.ts";
import { Visible } from "../ui/visible.tsx";
import { Arguments } from "./arguments.tsx";
import { Crossings } from "./crossings.tsx";
import { type Question, shownParts } from "./model.ts";

/** Exactly what would happen; folded away once it is decided. */
export function Details(props: {
  readonly question: Question;
  readonly open: boolean;
  readonly reading: Reading;
}) {
  const { question, open, reading } = props;
  const { diff, args, facts, rest, repairs } = shownParts(question.shown);
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
      <About question={question} facts={facts} />
      {diff === null ? null : <ReadDiff reading={reading} />}
      {diff === null && args !== null ? <Arguments args={args} /> : null}
      {rest === null || rest === undefined ? null : <Code value={rest} label="What is asked" />}
      {diff === null || args === null ? null : (
        // Where the change cannot be read line by line, they are all there is to judge by.
        <Fold
          name={`arguments ${question.requestId}`}
          begin={!isByLine(reading.files)}
          label={<span className="small dim">All arguments</span>}
        >
          <Arguments args={args} />
        </Fold>
      )}
    </div>
  );
  if (open) return body;
  return (
    <Fold name={`asked ${question.requestId}`} label={<span className="small dim">What was asked</span>}>
      {body}
    </Fold>
  );
}

/** What is so of nearly every question, or said by the tool's name. */
function isUsual(name: string, value: string): boolean {
  return (
    name === "kind" || (name === "asked by" && value === "mode") || (name === "from" && value === "builtin")
  );
}

/** Why a person is asked, and what it would do, in a line. */
function About(props: {
  readonly question: Question;
  readonly facts: readonly (readonly [string, string])[];
}) {
  const { origin } = props.question;
  const debug = useStore(debugTier);
  const all = [...(origin === null ? [] : [["asked by", origin] as const]), ...props.facts];
  const facts = debug ? all : all.filter(([name, value]) => !isUsual(name, value));
  if (facts.length === 0) return null;
  return (
    <p className="row wrap tiny question-facts">
      {facts.map(([name, value]) => (
        <span key={name}>
          <span className="dim">
            <Visible text={name} />
          </span>{" "}
          <Visible text={value} />
        </span>
      ))}
    </p>
  );
}
