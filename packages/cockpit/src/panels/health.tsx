import { enforcementInWords, type Summary } from "@fairlead/contract/view";
import { Icon } from "../ui/icon.tsx";
import { Note } from "../ui/parts.tsx";
import { Raw } from "../ui/raw.tsx";
import { healthOf, hintOf, scoreParts } from "../session/health.ts";
import { clockTime } from "../lib/time.ts";
import type { Detail } from "./detail.ts";
import { Audit, Memory } from "./records.tsx";
import { Facts } from "../ui/facts.tsx";
import { Panel } from "./panel.tsx";

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
  const hint = hintOf(health, clockTime);
  const enforced = enforcementInWords(health.policy?.enforcement ?? {});
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
      {enforced === null ? null : <Note icon="shield">{enforced}</Note>}
      <Raw value={health} label="Health" />
      <h3 className="small">Memory</h3>
      <Memory rows={health.memory_provenance ?? []} />
      <h3 className="small">Audit</h3>
      <Audit rows={health.audit ?? []} />
    </Panel>
  );
}
