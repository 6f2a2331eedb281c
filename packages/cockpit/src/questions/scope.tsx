import { HEALTH_ORIGIN, PATTERN_DAYS } from "@fairlead/contract/view";
import { visible } from "@fairlead/contract/visible";
import { useId } from "react";
import { Note } from "../ui/parts.tsx";
import type { DecisionBody } from "./decide.ts";
import type { Question } from "./model.ts";

export interface Scope {
  readonly kind: "call" | "turn" | "session" | "pattern";
  readonly pattern: string;
}

export const THIS_CALL: Scope = { kind: "call", pattern: "" };

const LABELS: readonly (readonly [Scope["kind"], string])[] = [
  ["call", "this call only"],
  ["turn", "this turn"],
  ["session", "this session"],
  ["pattern", `all sessions, for ${PATTERN_DAYS} days`],
];

/** How far a yes reaches. Beyond this call, what is allowed can be read and changed before it is sent. */
export function ScopeField(props: {
  readonly question: Question;
  readonly scope: Scope;
  readonly onChange: (scope: Scope) => void;
}) {
  const { question, scope, onChange } = props;
  const id = useId();
  // Who asked without a reason of this kind does not look for such a yes either.
  if (question.origin === null || question.asks !== "approval") return null;
  // A budget is moved by a yes, or set: there is no standing one.
  if (question.origin === HEALTH_ORIGIN) return null;
  if (question.pattern === null)
    return <p className="tiny dim">No pattern fits this call: a yes is for this call only.</p>;
  const wide = widthOf(question, scope);
  return (
    <div className="scope">
      <label htmlFor={`${id}-kind`} className="small dim">
        Allow for
      </label>
      <select
        id={`${id}-kind`}
        className="input"
        value={scope.kind}
        onChange={(event) =>
          onChange({
            kind: event.target.value as Scope["kind"],
            pattern: scope.pattern || (question.pattern ?? ""),
          })
        }
      >
        {LABELS.map(([kind, label]) => (
          <option key={kind} value={kind}>
            {label}
          </option>
        ))}
      </select>
      {scope.kind === "call" ? null : (
        <input
          className="input mono"
          aria-label="What is allowed, as TOOL: WORDS"
          value={scope.pattern}
          spellCheck={false}
          onChange={(event) => onChange({ ...scope, pattern: event.target.value })}
        />
      )}
      {scope.kind === "call" ? null : (
        <p className="tiny dim scope-means">
          Every call that fits <code>{visible(scope.pattern)}</code> runs without asking {reaches(scope.kind)}
          . Approvals lists it, and takes it back.
        </p>
      )}
      {wide === null ? null : (
        <div role="status" className="scope-means">
          <Note tone="warn">
            <strong>Wide.</strong> {wide}
          </Note>
        </div>
      )}
    </div>
  );
}

/** How much more a pattern allows than what was suggested for this call; null where that is not more. */
function widthOf({ tool, pattern: suggested }: Question, { kind, pattern }: Scope): string | null {
  const text = pattern.trim();
  if (kind === "call" || text === suggested) return null;
  const rest = text.replace(/^[^:]*:?/, "").trim();
  if (/^\**$/.test(rest)) return `It allows all that ${tool} can do, not only calls like this one.`;
  return rest.includes("*") ? "It allows every call that begins so, whatever follows." : null;
}

const DAY_MS = 86_400_000;

/** Where and until when, as it will be if it is said now. */
function reaches(kind: Exclude<Scope["kind"], "call">): string {
  if (kind === "turn") return "until this turn ends";
  if (kind === "session") return "in this session, until it is revoked";
  const end = new Date(Date.now() + PATTERN_DAYS * DAY_MS).toLocaleDateString();
  return `in all sessions of the same owner and project, until ${end}`;
}

export function scopeBody(scope: Scope): Pick<DecisionBody, "scope"> {
  return scope.kind === "call" ? {} : { scope: { kind: scope.kind, pattern: scope.pattern } };
}
