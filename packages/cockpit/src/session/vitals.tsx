import type { HealthSnapshot } from "@fairlead/contract";
import type { Summary } from "@fairlead/contract/view";
import type { Detail } from "../panels/detail.ts";
import { Audit, Memory } from "../panels/records.tsx";
import { Icon } from "../ui/icon.tsx";
import { Popover } from "../ui/popover.tsx";
import { Meter } from "../ui/parts.tsx";
import { budgetsOf } from "./budgets.ts";
import { healthOf, scoreParts } from "./health.ts";
import { count } from "./numbers.ts";

/** How it fares, always in sight: meters, score and what it is made of, flags, what would help, and where it came from. */
export function Vitals({ summary, detail }: { readonly summary: Summary; readonly detail: Detail | null }) {
  const { usage } = summary;
  const health = healthOf(summary, detail);
  const limit = summary.contextLimit ?? detail?.contextTokens ?? null;
  const counted = { tokens: usage.input + usage.output + usage.earlier, cost: usage.cost ?? 0 };
  return (
    <>
      <div className="head-meters">
        {limit === null || usage.context === 0 ? null : (
          <Meter
            label="Context"
            value={usage.context}
            max={limit}
            text={`${count(usage.context)} of ${count(limit)}`}
          />
        )}
        {budgetsOf(health, counted).map(({ name, label, used, limit: most, text, next }) => (
          <Meter key={name} label={label} value={used} max={most} text={text} note={next} />
        ))}
      </div>
      {health === null ? null : <Health health={health} />}
    </>
  );
}

function Health({ health }: { readonly health: HealthSnapshot }) {
  const parts = scoreParts(health);
  const memory = health.memory_provenance ?? [];
  const audit = health.audit ?? [];
  const tone = health.score >= 80 ? "good" : health.score >= 50 ? "warn" : "bad";
  return (
    <div className="row wrap tiny head-health">
      <span className={`chip ${tone}`}>
        <Icon name="heart" /> Health <span className="num">{Math.round(health.score)}</span>
      </span>
      {parts.map(([name, points]) => (
        <span key={name} className="dim num">
          {name.replaceAll("_", " ")} {points < 0 ? `−${-points}` : `+${points}`}
        </span>
      ))}
      {health.flags.map((flag) => (
        <span key={flag} className="chip warn">
          <Icon name="flag" /> {flag.replaceAll("_", " ")}
        </span>
      ))}
      <Popover
        title="Where memory came from"
        label={<Label icon="book" name="Memory" many={memory.length} />}
      >
        <Memory rows={memory} />
      </Popover>
      <Popover
        title="What was done, and by whom"
        label={<Label icon="list" name="Audit" many={audit.length} />}
      >
        <Audit rows={audit} />
      </Popover>
    </div>
  );
}

function Label(props: { readonly icon: "book" | "list"; readonly name: string; readonly many: number }) {
  return (
    <>
      <Icon name={props.icon} /> {props.name} <span className="num">{props.many}</span>
    </>
  );
}
