import { isQuiet, policyTitle, type Summary, verdictInWords } from "@fairlead/contract/view";
import { Fold } from "../ui/fold.tsx";
import { Visible } from "../ui/visible.tsx";
import { howMany } from "./how-many.ts";
import { useNewest } from "./newest.tsx";
import { Panel } from "./panel.tsx";

export function PolicyPanel({
  summary: { policies, partial },
  open,
}: {
  readonly summary: Summary;
  readonly open: boolean;
}) {
  if (policies.length === 0) return null;
  const told = policies.filter((one) => !isQuiet(one));
  const quiet = policies.filter(isQuiet);
  return (
    <Panel
      icon="shield"
      title="Policy decisions"
      note={howMany(policies.length, partial)}
      open={open || told.length > 0}
    >
      <Decisions policies={told} />
      {quiet.length === 0 ? null : (
        <Fold
          name="quiet decisions"
          label={<span className="small dim">{howMany(quiet.length, partial)} that let it go on</span>}
        >
          <Decisions policies={quiet} />
        </Fold>
      )}
    </Panel>
  );
}

function Decisions({ policies }: Pick<Summary, "policies">) {
  const { shown, rest } = useNewest(policies.toReversed());
  if (policies.length === 0) return null;
  return (
    <>
      <ul role="list" className="plain-list tiny">
        {shown.map((one) => (
          <li key={one.seq}>
            <strong>
              <Visible text={policyTitle(one)} />
            </strong>
            <div className="dim">
              <Visible text={`${one.reason} (${one.rule_id ?? one.source})`} />
            </div>
          </li>
        ))}
      </ul>
      {rest}
    </>
  );
}

/** What was done about calls whose process was lost. */
export function RecoveryPanel({ summary: { verdicts, partial } }: { readonly summary: Summary }) {
  const { shown, rest } = useNewest(verdicts.toReversed());
  if (verdicts.length === 0) return null;
  return (
    <Panel icon="shield" title="Recovery verdicts" note={howMany(verdicts.length, partial)} open>
      <ul role="list" className="plain-list">
        {shown.map((one) => (
          <li key={one.seq}>
            <code>{one.tool_name}</code>: {verdictInWords(one.verdict)}
            <div className="dim tiny">{one.reason}</div>
          </li>
        ))}
      </ul>
      {rest}
    </Panel>
  );
}

export function DiagnosticsPanel({ summary }: { readonly summary: Summary }) {
  const { diagnostics, sandbox, partial } = summary;
  const { shown, rest } = useNewest(diagnostics.toReversed());
  if (diagnostics.length === 0 && sandbox === null) return null;
  return (
    <Panel icon="bug" title="Diagnostics" note={howMany(diagnostics.length, partial)}>
      {sandbox === null ? null : (
        <p>
          Isolation: {sandbox.resolved_backend}, {sandbox.isolation}.{" "}
          <span className="dim">{sandbox.reason}</span>
        </p>
      )}
      <ul role="list" className="plain-list tiny">
        {shown.map((one) => (
          <li key={one.seq}>
            {one.kind} {one.status}
            <div className="dim">{one.reason}</div>
          </li>
        ))}
      </ul>
      {rest}
    </Panel>
  );
}
