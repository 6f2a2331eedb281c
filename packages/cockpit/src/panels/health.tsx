import type { Summary } from "@fairlead/contract/view";
import { Code } from "../ui/code.tsx";
import { Icon } from "../ui/icon.tsx";
import { Note } from "../ui/parts.tsx";
import { healthOf, hintOf, scoreParts } from "../session/health.ts";
import type { Detail } from "./detail.ts";
import { Audit, Memory } from "./records.tsx";
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
  const health = healthOf(summary, detail);
  if (health === null) return null;
  const parts = scoreParts(health);
  const hint = hintOf(health);
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
      {hint === null ? null : <Note icon="steer">{hint}</Note>}
      {Object.keys(enforcement).length === 0 ? null : <Code value={enforcement} label="Enforcement" />}
      <h3 className="small">Memory</h3>
      <Memory rows={health.memory_provenance ?? []} />
      <h3 className="small">Audit</h3>
      <Audit rows={health.audit ?? []} />
    </Panel>
  );
}
