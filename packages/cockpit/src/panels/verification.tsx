import { checksInWords, openRisks, owedInWords, type Summary, worded } from "@fairlead/contract/view";
import type { IconName } from "../ui/icon.tsx";
import { Raw } from "../ui/raw.tsx";
import { Ticked } from "../ui/ticked.tsx";
import { Visible } from "../ui/visible.tsx";
import { Panel } from "./panel.tsx";
import { State } from "./progress.tsx";

const ICONS: Readonly<Record<string, IconName>> = { passed: "check", failed: "cross", needs_review: "flag" };

/** What the session owes from its beginning, what was checked, with its evidence, and what is still open. */
export function VerificationPanel({ summary }: { readonly summary: Summary }) {
  const { verification, accepted, state } = summary;
  if (verification === null) return <Owed owed={owedInWords(state.requires)} />;
  const { status, checks = [], residual_risks } = verification;
  const checked = checksInWords(checks);
  const [icon, note] =
    accepted === null
      ? [ICONS[status] ?? "dot", worded(status)]
      : (["check", `${worded(status)}, accepted`] as const);
  return (
    <Panel icon={icon} title="Verification" note={note} open>
      {accepted === null ? null : (
        <p className="small">
          <Visible text={accepted} />
        </p>
      )}
      <ul role="list" className="plain-list">
        {checked.map((check, index) => (
          <li key={index} className="row">
            <State status={check.status} />
            <div>
              <Ticked text={check.subject} />
              <div className="tiny dim">
                {worded(check.status)}
                {check.message === null ? "" : <Visible text={`. ${check.message}`} />}
                {check.evidence.length === 0 ? (
                  ""
                ) : (
                  <Visible text={` Shown by ${check.evidence.join(", ")}.`} />
                )}
              </div>
            </div>
          </li>
        ))}
        {openRisks(residual_risks ?? [], checked).map((risk) => (
          <li key={risk} className="row">
            <State status="open" />
            <span>
              Still open: <Ticked text={risk} />
            </span>
          </li>
        ))}
      </ul>
      <Raw value={verification} label="Verification" />
    </Panel>
  );
}

/** Before anything was checked: what will be. */
function Owed({ owed }: { readonly owed: readonly string[] }) {
  if (owed.length === 0) return null;
  return (
    <Panel icon="list" title="Verification" note={`${owed.length} owed`} open>
      <p className="small dim">It is done only once each of these was seen to hold:</p>
      <ul role="list" className="plain-list">
        {owed.map((subject, index) => (
          <li key={index} className="row">
            <State status="pending" />
            <span>
              <Ticked text={subject} />
            </span>
          </li>
        ))}
      </ul>
    </Panel>
  );
}
