import type { NewEvent } from "@fairlead/contract";
import type { Policy } from "../domain/policy/policy.ts";
import type { Problem } from "../domain/policy/problem.ts";
import type { EventLog } from "../ports/event-log.ts";
import type { PolicySource } from "../ports/policy-source.ts";
import { openPolicies, type OpenedPolicies } from "../services/policies.ts";
import { appendToSystem } from "../services/system-stream.ts";

export interface RuleFilesOptions {
  readonly log: EventLog;
  readonly source: PolicySource;
  /** A change of the files was refused; the rules in force stay. Must not throw. */
  readonly onRefused: (errors: readonly Problem[]) => void;
  /** Must not throw. */
  readonly report: (error: unknown) => void;
}

/** The rules in force, as their files have them. The log says which were in force when, and what was refused. */
export async function openRuleFiles(options: RuleFilesOptions): Promise<OpenedPolicies> {
  const { log, source, report } = options;

  function record(event: NewEvent): void {
    appendToSystem(log, [event], []).catch(report);
  }

  const opened = await openPolicies({
    source,
    onChanged: (policy) => record(loaded(policy)),
    onRefused(errors) {
      record(refused(errors));
      options.onRefused(errors);
    },
  });
  if (opened.ok) await appendToSystem(log, [loaded(opened.policies.current())], []);
  return opened;
}

function loaded({ hash, rules }: Policy): NewEvent {
  const details = { rule_set_hash: hash, rules: rules.map(({ id }) => id) };
  return { type: "runtime.hook.event", data: { hook: "policy.rules", status: "in_force", details } };
}

function refused(errors: readonly Problem[]): NewEvent {
  const [first] = errors;
  const reason = `${first?.file}:${first?.line}:${first?.column}: ${first?.message}`;
  return {
    type: "runtime.hook.event",
    data: { hook: "policy.rules", status: "refused", reason, details: { errors: errors.slice(0, 20) } },
  };
}
