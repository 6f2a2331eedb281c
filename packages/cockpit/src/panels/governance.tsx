import { isQuiet, policyTitle, type Summary, verdictInWords } from "@fairlead/contract/view";
import { Fold } from "../ui/fold.tsx";
import { Visible } from "../ui/visible.tsx";
import { Panel } from "./panel.tsx";

export function PolicyPanel({
  summary: { policies },
  open,
}: {
  readonly summary: Summary;
  readonly open: boolean;
}) {
  if (policies.length === 0) return null;
  const told = policies.filter((one) => !isQuiet(one));
  const quiet = policies.filter(isQuiet);
  return (
    <Panel icon="shield" title="Policy decisions" note={policies.length} open={open || told.length > 0}>
      <Decisions policies={told} />
      {quiet.length === 0 ? null : (
        <Fold
          name="quiet decisions"
          label={<span className="small dim">{quiet.length} that let it go on</span>}
        >
          <Decisions policies={quiet} />
        </Fold>
      )}
    </Panel>
  );
}

function Decisions({ policies }: Pick<Summary, "policies">) {
  if (policies.length === 0) return null;
  return (
    <ul role="list" className="plain-list tiny">
      {policies.toReversed().map((one) => (
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
  );
}

/** What was done about calls whose process was lost. */
export function RecoveryPanel({ summary: { verdicts } }: { readonly summary: Summary }) {
  if (verdicts.length === 0) return null;
  return (
    <Panel icon="shield" title="Recovery verdicts" note={verdicts.length} open>
      <ul role="list" className="plain-list">
        {verdicts.map((one) => (
          <li key={one.seq}>
            <code>{one.tool_name}</code>: {verdictInWords(one.verdict)}
            <div className="dim tiny">{one.reason}</div>
          </li>
        ))}
      </ul>
    </Panel>
  );
}

export function DiagnosticsPanel({ summary: { diagnostics, sandbox } }: { readonly summary: Summary }) {
  if (diagnostics.length === 0 && sandbox === null) return null;
  return (
    <Panel icon="bug" title="Diagnostics" note={diagnostics.length}>
      {sandbox === null ? null : (
        <p>
          Isolation: {sandbox.resolved_backend}, {sandbox.isolation}.{" "}
          <span className="dim">{sandbox.reason}</span>
        </p>
      )}
      <ul role="list" className="plain-list tiny">
        {diagnostics.map((one) => (
          <li key={one.seq}>
            {one.kind} {one.status}
            <div className="dim">{one.reason}</div>
          </li>
        ))}
      </ul>
    </Panel>
  );
}
