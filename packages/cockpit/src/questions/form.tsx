import { visibleJson } from "@fairlead/contract/visible";
import type { QuestionRow } from "@fairlead/contract";
import { useEffect, useId, useRef, useState } from "react";
import type { Problem } from "../lib/api.ts";
import { sendOnCtrlEnter } from "../lib/ctrl-enter.ts";
import { useKept } from "../lib/kept.ts";
import { useKeys } from "../lib/keys.ts";
import { Icon } from "../ui/icon.tsx";
import { Note, ProblemNote } from "../ui/parts.tsx";
import { decide, type DecisionBody } from "./decide.ts";
import { type Question, shownParts } from "./model.ts";
import { type Scope, scopeBody, ScopeField, THIS_CALL } from "./scope.tsx";
import { Visible } from "../ui/visible.tsx";

type Mode = "plain" | "edit" | "deny";
const BEGINS = { approve: "plain", deny: "deny", edit: "edit" } as const satisfies Record<string, Mode>;

/** Yes, no, or yes with other arguments. The decision counts only for what was shown. */
export function DecideForm(props: {
  readonly question: Question;
  readonly keys: boolean;
  readonly begin?: keyof typeof BEGINS | undefined;
  /** It is decided: by this person, or by somebody who was faster. */
  readonly onSettled: (row: QuestionRow, mine: boolean) => void;
  readonly onClose?: (() => void) | undefined;
}) {
  const { question, keys, begin, onSettled, onClose } = props;
  const { args, options } = shownParts(question.shown);
  const id = useId();
  const own = (what: string): string => `${what} of ${question.requestId}`;
  const [mode, setMode] = useKept<Mode>(own("mode"), () => (begin === undefined ? "plain" : BEGINS[begin]));
  const [scope, setScope] = useKept<Scope>(own("scope"), () => THIS_CALL);
  const [whyNot, setWhyNot] = useKept(own("why not"), () => "");
  const [answer, setAnswer] = useKept(own("answer"), () => "");
  const [edited, setEdited] = useKept(own("edited"), () => visibleJson(args ?? {}));
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState<Problem | null>(null);
  const field = useRef<HTMLTextAreaElement>(null);
  const first = useRef<HTMLButtonElement>(null);
  const asksForText = question.asks !== "approval";
  const mayEdit = args !== null && question.asks === "approval";
  useEffect(() => {
    if (begin === undefined) return;
    setMode(begin === "edit" && !mayEdit ? "plain" : BEGINS[begin]);
    // After it is drawn.
    const timer = setTimeout(() => (begin === "approve" ? first : field).current?.focus());
    return () => clearTimeout(timer);
  }, [begin, mayEdit, setMode]);

  async function send(body: DecisionBody): Promise<void> {
    if (busy) return;
    setBusy(true);
    setProblem(null);
    const hash = question.shownHash === null ? {} : { shown_hash: question.shownHash };
    const done = await decide(question.requestId, { ...hash, ...body });
    setBusy(false);
    if (done.ok) return onSettled(done.row, true);
    setProblem(done.problem);
    if (done.row !== null) onSettled(done.row, false);
  }

  function approve(): void {
    if (asksForText) {
      if (answer.trim() === "") return field.current?.focus();
      return void send({ decision: "approved", answer });
    }
    if (mode !== "edit") return void send({ decision: "approved", ...scopeBody(scope) });
    const value = parsed(edited);
    if (value === undefined)
      return setProblem({
        code: "bad_request",
        message: "The arguments are no JSON object.",
        hint: "Mend them, or go back to the ones that were asked for.",
      });
    void send({ decision: "edited", edited: value });
  }

  function deny(): void {
    if (mode !== "deny") return open("deny");
    // Said with a no alone, also by who wrote it and then thought better of it.
    const note = whyNot.trim();
    void send({ decision: "denied", ...(note === "" ? {} : { note }) });
  }

  function open(next: Mode): void {
    setMode(next);
    setProblem(null);
    // After it is drawn.
    setTimeout(() => field.current?.focus());
  }

  /** By a letter: it leads to the button, and another press of either sends. Nobody lets a thing through by one slip. */
  function approveByKey(): void {
    if (asksForText && answer.trim() === "") return field.current?.focus();
    if (document.activeElement !== first.current) return first.current?.focus();
    approve();
  }

  const chooses = asksForText && options.length > 0;
  useKeys(
    keys && !busy
      ? {
          // Who is about to say no does not say yes by a letter.
          ...(chooses || mode === "deny" ? {} : { a: approveByKey }),
          d: deny,
          ...(mayEdit ? { e: () => open("edit") } : {}),
        }
      : {},
  );

  return (
    <form
      className="decide"
      onKeyDown={(event) => {
        // From what is written, or where the question is only whether to say no: never a yes by chance.
        if (mode === "deny" || event.target instanceof HTMLTextAreaElement) sendOnCtrlEnter(event);
      }}
      onSubmit={(event) => {
        event.preventDefault();
        if (mode === "deny") deny();
        else if (!chooses) approve();
      }}
    >
      {chooses ? (
        <div className="row wrap" role="group" aria-label="Your answer">
          {options.map(({ label, value }) => (
            <button
              key={label}
              type="button"
              className="button"
              disabled={busy}
              onClick={() => void send({ decision: "approved", answer: value })}
            >
              <Visible text={label} />
            </button>
          ))}
        </div>
      ) : null}
      {asksForText && !chooses ? (
        <div className="field">
          <label htmlFor={`${id}-answer`}>Your answer</label>
          <textarea
            ref={field}
            id={`${id}-answer`}
            className="input"
            rows={3}
            value={answer}
            onChange={(event) => setAnswer(event.target.value)}
          />
        </div>
      ) : null}
      {mode === "edit" ? (
        <div className="field">
          <label htmlFor={`${id}-edit`}>Arguments, as JSON. The call runs with these instead.</label>
          <textarea
            ref={field}
            id={`${id}-edit`}
            className="input mono"
            rows={Math.min(16, edited.split("\n").length + 1)}
            spellCheck={false}
            value={edited}
            onChange={(event) => setEdited(event.target.value)}
          />
        </div>
      ) : null}
      {mode === "deny" ? (
        <div className="field">
          <label htmlFor={`${id}-note`}>Why not? The agent is told. May be left empty.</label>
          <textarea
            ref={field}
            id={`${id}-note`}
            className="input"
            rows={2}
            value={whyNot}
            onChange={(event) => setWhyNot(event.target.value)}
          />
        </div>
      ) : null}
      {problem === null ? null : <ProblemNote problem={problem} />}
      <div className="row wrap decide-actions">
        {mode === "deny" ? (
          <button type="submit" className="button danger" disabled={busy}>
            <Icon name="cross" /> Deny
          </button>
        ) : (
          <>
            {chooses ? null : (
              <button ref={first} type="submit" className="button primary" disabled={busy}>
                <Icon name="check" />{" "}
                {mode === "edit" ? "Approve as edited" : asksForText ? "Answer" : "Approve"}
                {keys ? <kbd>a</kbd> : null}
              </button>
            )}
            <button type="button" className="button danger" disabled={busy} onClick={deny}>
              <Icon name="cross" /> Deny {keys ? <kbd>d</kbd> : null}
            </button>
          </>
        )}
        {mode === "plain" && mayEdit ? (
          <button type="button" className="button" disabled={busy} onClick={() => open("edit")}>
            Edit {keys ? <kbd>e</kbd> : null}
          </button>
        ) : null}
        {mode === "plain" && onClose === undefined ? null : (
          <button
            type="button"
            className="button quiet"
            disabled={busy}
            onClick={onClose ?? (() => setMode("plain"))}
          >
            Back
          </button>
        )}
        {mode === "plain" ? <ScopeField question={question} scope={scope} onChange={setScope} /> : null}
      </div>
      {question.expires === null ? null : (
        <Note icon="clock">Undecided, it expires at {new Date(question.expires).toLocaleString()}.</Note>
      )}
    </form>
  );
}

function parsed(text: string): Record<string, unknown> | undefined {
  try {
    const value = JSON.parse(text) as unknown;
    return typeof value === "object" && value !== null && !Array.isArray(value) ? { ...value } : undefined;
  } catch {
    return undefined;
  }
}
