import {
  citationsInWords,
  cognitionInWords,
  guardrailLine,
  guardrailsInWords,
  packInWords,
  worded,
} from "@fairlead/contract/view";
import { Facts } from "../ui/facts.tsx";
import { Fold } from "../ui/fold.tsx";
import { Icon } from "../ui/icon.tsx";
import { Visible } from "../ui/visible.tsx";
import type { RowProps } from "./rows.tsx";

/** The sources that the model was given, by where they are. */
export function Citations({ citations }: { readonly citations: unknown }) {
  return (
    <ol role="list" className="citations small">
      {citationsInWords(citations).map(({ label, lines, text }, index) => (
        <li key={index}>
          <span className="dim num">{index + 1}.</span>{" "}
          <code>
            <Visible text={label} />
          </code>
          {lines === null ? null : <span className="dim">, {lines}</span>}
          {text === null ? null : (
            <div className="dim clamp">
              <Visible text={text} />
            </div>
          )}
        </li>
      ))}
    </ol>
  );
}

/** What was packed for the model, in sentences. */
export function Pack({ pack }: { readonly pack: unknown }) {
  const lines = packInWords(pack);
  return lines.length === 0 ? null : <p className="small">{lines.join(" ")}</p>;
}

export function RetrievalRow({ entry }: RowProps<"retrieval">) {
  const count = entry.citations.length;
  return (
    <Fold
      name={entry.key}
      className="beside"
      label={
        <>
          <Icon name="book" />
          <span className="ellipsis">
            Looked up {count === 0 ? "nothing that fits" : count === 1 ? "one source" : `${count} sources`}
            {entry.query === null ? "" : <Visible text={`: ${entry.query.slice(0, 80)}`} />}
          </span>
        </>
      }
    >
      <Pack pack={entry.pack} />
      <Citations citations={entry.citations} />
    </Fold>
  );
}

/** What held a turn back, and what it perceived, remembered and decided. */
export function Cognition(props: { readonly guardrails: unknown; readonly details: unknown }) {
  const lines = guardrailsInWords(props.guardrails);
  const parts = cognitionInWords(props.details);
  return (
    <>
      {lines.length === 0 ? null : (
        <ul role="list" className="plain-list small">
          {lines.map((line) => (
            <li key={line}>
              <Visible text={line} />
            </li>
          ))}
        </ul>
      )}
      <Facts facts={parts.map(([name, said]) => [name, <Visible key={name} text={said} />] as const)} />
    </>
  );
}

export function CognitionRow({ entry }: RowProps<"cognition">) {
  return (
    <Fold
      name={entry.key}
      className="beside"
      label={
        <>
          <Icon name="shield" />
          <span className="ellipsis">
            Guardrails: <Visible text={guardrailLine(entry.guardrails, entry.summary)} />
          </span>
        </>
      }
    >
      <p className="small">
        <Visible text={worded(entry.summary)} />
      </p>
      <Cognition guardrails={entry.guardrails} details={entry.details} />
    </Fold>
  );
}
