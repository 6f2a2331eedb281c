import {
  citationsInWords,
  cognitionInWords,
  guardrailLine,
  guardrailsInWords,
  packInWords,
  worded,
} from "@fairlead/contract/view";
import type { ReactNode } from "react";
import { Facts } from "../ui/facts.tsx";
import { Fold } from "../ui/fold.tsx";
import { Icon, type IconName } from "../ui/icon.tsx";
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

/** A line beside the conversation that opens. */
function Beside(props: {
  readonly name: string;
  readonly icon: IconName;
  readonly label: ReactNode;
  readonly children: ReactNode;
}) {
  const label = (
    <>
      <Icon name={props.icon} />
      <span className="ellipsis">{props.label}</span>
    </>
  );
  return (
    <Fold name={props.name} className="beside" label={label}>
      {props.children}
    </Fold>
  );
}

export function RetrievalRow({ entry }: RowProps<"retrieval">) {
  const count = entry.citations.length;
  const found = count === 0 ? "nothing that fits" : count === 1 ? "one source" : `${count} sources`;
  const label = `Looked up ${found}${entry.query === null ? "" : `: ${entry.query.slice(0, 80)}`}`;
  return (
    <Beside name={entry.key} icon="book" label={<Visible text={label} />}>
      <Pack pack={entry.pack} />
      <Citations citations={entry.citations} />
    </Beside>
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
  const label = `Guardrails: ${guardrailLine(entry.guardrails, entry.summary)}`;
  return (
    <Beside name={entry.key} icon="shield" label={<Visible text={label} />}>
      <p className="small">
        <Visible text={worded(entry.summary)} />
      </p>
      <Cognition guardrails={entry.guardrails} details={entry.details} />
    </Beside>
  );
}
