import type { Summary } from "@fairlead/contract/view";
import { Code } from "../ui/code.tsx";
import { Icon } from "../ui/icon.tsx";
import { Note } from "../ui/parts.tsx";
import type { Detail } from "./detail.ts";
import { Facts, Panel } from "./panel.tsx";

type Json = Readonly<Record<string, unknown>>;

/** The score with its parts, flags, where memory came from, what was done, and what would help. */
export function HealthPanel({
  summary,
  detail,
}: {
  readonly summary: Summary;
  readonly detail: Detail | null;
}) {
  const health = summary.health ?? detail?.session.health ?? null;
  if (health === null) return null;
  const parts = Object.entries(((health as { score_parts?: Json }).score_parts ?? {}) as Json).filter(
    ([, value]) => value !== 0,
  );
  const audit = (health.audit ?? []) as readonly Json[];
  const memory = (health.memory_provenance ?? []) as readonly Json[];
  const enforcement = (health.policy?.enforcement ?? {}) as Json;
  return (
    <Panel icon="heart" title="Health" note={`${Math.round(health.score)} of 100`} open>
      <div className="row wrap">
        {health.flags.length === 0 ? <span className="dim">No flags.</span> : null}
        {health.flags.map((flag) => (
          <span key={flag} className="chip warn">
            <Icon name="flag" /> {flag.replaceAll("_", " ")}
          </span>
        ))}
      </div>
      {parts.length === 0 ? null : (
        <Facts facts={parts.map(([name, value]) => [name.replaceAll("_", " "), String(value)] as const)} />
      )}
      {health.recovery_hint === null || health.recovery_hint === undefined ? null : (
        <Note icon="steer">{health.recovery_hint}</Note>
      )}
      {Object.keys(enforcement).length === 0 ? null : <Code value={enforcement} label="Enforcement" />}
      <List title="Memory" rows={memory} empty="Nothing was remembered from elsewhere." />
      <List title="Audit" rows={audit} empty="" />
    </Panel>
  );
}

const TELLING = ["summary", "action", "event_type", "type", "tool_name", "reason", "source", "at"];

function List({
  title,
  rows,
  empty,
}: {
  readonly title: string;
  readonly rows: readonly Json[];
  readonly empty: string;
}) {
  if (rows.length === 0) return empty === "" ? null : <p className="dim tiny">{empty}</p>;
  return (
    <details>
      <summary className="small">
        {title} <span className="dim num">{rows.length}</span>
      </summary>
      <ul role="list" className="plain-list tiny">
        {rows.map((row, index) => (
          <li key={index}>
            {TELLING.filter((name) => typeof row[name] === "string")
              .map((name) => String(row[name]))
              .join(" · ") || JSON.stringify(row)}
          </li>
        ))}
      </ul>
    </details>
  );
}
