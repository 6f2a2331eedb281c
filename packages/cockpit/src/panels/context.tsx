import { type Summary, worded } from "@fairlead/contract/view";
import { Citations, Cognition, Pack } from "../timeline/context-rows.tsx";
import { Note } from "../ui/parts.tsx";
import { Raw } from "../ui/raw.tsx";
import { useNewest } from "./newest.tsx";
import { Panel } from "./panel.tsx";

/** What the model is told beside the conversation, and how much of that still fits. */
export function ContextPanel({ summary }: { readonly summary: Summary }) {
  const { retrieval, warnings, compactions } = summary;
  const { shown, rest } = useNewest(compactions.toReversed());
  if (retrieval === null && warnings.length + compactions.length === 0) return null;
  const last = warnings.at(-1);
  return (
    <Panel
      icon="book"
      title="Context"
      note={retrieval === null ? "" : `${retrieval.citations.length} sources`}
    >
      {last === undefined ? null : <Note tone="warn">{last.message}</Note>}
      {retrieval === null ? null : (
        <>
          <Pack pack={retrieval.context_pack} />
          <Citations citations={retrieval.citations} />
          <Raw value={retrieval.context_pack ?? {}} label="Context pack" />
        </>
      )}
      {compactions.length === 0 ? null : (
        <ul role="list" className="plain-list tiny">
          {shown.map((one) => (
            <li key={one.seq}>
              Compacted {one.original_count} messages to {one.compacted_count}, {one.tokens_saved} tokens
              saved.
              <div className="dim">{one.summary}</div>
            </li>
          ))}
        </ul>
      )}
      {rest}
    </Panel>
  );
}

/** Seed 000's antahkarana: cognition and guardrails of the last turn. */
export function GuardrailPanel({ summary: { cognition } }: { readonly summary: Summary }) {
  if (cognition === null) return null;
  const { guardrails = [], details = {} } = cognition;
  const stepped = guardrails.filter(({ count }) => count !== 0).length;
  return (
    <Panel icon="shield" title="Guardrails" note={stepped === 0 ? "calm" : `${stepped} stepped in`}>
      <p>{worded(cognition.summary)}</p>
      <Cognition guardrails={guardrails} details={details} />
      <Raw value={{ guardrails, details }} label="Antahkarana" />
    </Panel>
  );
}
