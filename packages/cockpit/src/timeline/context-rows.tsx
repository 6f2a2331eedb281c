import { Code } from "../ui/code.tsx";
import { Icon } from "../ui/icon.tsx";
import type { RowProps } from "./rows.tsx";

type Json = Readonly<Record<string, unknown>>;

/** What a citation is known by, whoever made it. */
function citationLabel(citation: Json): string {
  for (const name of ["title", "path", "source", "url", "id"]) {
    const value = citation[name];
    if (typeof value === "string" && value !== "") return value;
  }
  return "source";
}

function lines(citation: Json): string {
  const from = citation["start_line"] ?? citation["line"];
  const to = citation["end_line"];
  if (typeof from !== "number") return "";
  return typeof to === "number" && to !== from ? `:${from}–${to}` : `:${from}`;
}

export function Citations({ citations }: { readonly citations: readonly Json[] }) {
  return (
    <ol role="list" className="citations small">
      {citations.map((citation, index) => (
        <li key={index}>
          <span className="mono">
            [{index + 1}] {citationLabel(citation)}
            {lines(citation)}
          </span>
          {typeof citation["text"] === "string" ? <div className="dim clamp">{citation["text"]}</div> : null}
        </li>
      ))}
    </ol>
  );
}

export function RetrievalRow({ entry }: RowProps<"retrieval">) {
  const count = entry.citations.length;
  return (
    <details className="beside">
      <summary className="row small dim">
        <Icon name="book" /> Looked up {count === 1 ? "one source" : `${count} sources`}
        {entry.query === null ? "" : `: ${entry.query.slice(0, 80)}`}
      </summary>
      <Citations citations={entry.citations} />
      {entry.pack === null ? null : <Code value={entry.pack} label="Context pack" />}
    </details>
  );
}

export function CognitionRow({ entry }: RowProps<"cognition">) {
  return (
    <details className="beside">
      <summary className="row small dim">
        <Icon name="shield" /> Guardrails: {entry.summary}
      </summary>
      {entry.guardrails.length === 0 ? null : <Code value={entry.guardrails} label="Guardrails" />}
    </details>
  );
}
