import { type CaseResult, type Policy, readCases, runCase } from "@fairlead/runtime/policy";
import type { Context } from "../command.ts";
import { Failure } from "../failure.ts";
import type { Output } from "../output.ts";
import { showProblem } from "../policy/excerpt.ts";
import { compiledRules, firstProblem, policyDirectory, readPolicyTexts } from "../policy/files.ts";
import { oneLine } from "../text.ts";

export async function test({ host, out }: Context, dir: string | undefined): Promise<number> {
  const directory = policyDirectory(host, dir);
  const texts = readPolicyTexts(host, directory);
  const policy = compiledRules(texts);
  const read = readCases(texts.cases);
  if (!read.ok) {
    if (!out.json)
      await out.line(read.errors.map((problem) => showProblem(out, problem, texts.cases)).join("\n\n"));
    throw firstProblem(read.errors);
  }
  if (read.cases.length === 0) {
    throw new Failure("config", `There are no cases in ${directory}.`, {
      hint: "Write some into a *.test.yaml beside the rules.",
    });
  }
  const results = read.cases.map((one) => runCase(policy, one));
  const failed = results.filter(({ wrong }) => wrong.length > 0);
  const untested = neverDecided(policy, results);
  if (out.json) await out.value(summary(results, failed, untested));
  else await show(out, results, failed, untested);
  if (failed.length === 0) return 0;
  const [first] = failed;
  out.error(
    new Failure(
      "config",
      `${failed.length} of ${results.length} cases do not hold, the first at ${first?.case.file}:${first?.case.line}.`,
      {
        hint: "Mend the rule or the case; `fairlead policy explain` shows what each rule says about an event.",
      },
    ),
  );
  return 1;
}

/** Rules that no case has seen decide. */
function neverDecided(policy: Policy, results: readonly CaseResult[]): string[] {
  const seen = new Set(results.map(({ outcome }) => outcome.rule_id));
  return policy.rules.flatMap(({ id }) => (seen.has(id) ? [] : [id]));
}

function summary(
  results: readonly CaseResult[],
  failed: readonly CaseResult[],
  untested: readonly string[],
): object {
  return {
    ok: failed.length === 0,
    cases: results.length,
    failed: failed.map(({ case: { name, file, line, expect }, outcome, wrong }) => ({
      name,
      file,
      line,
      wrong,
      expect,
      got: { decision: outcome.kind === "decided" ? outcome.decision : null, rule: outcome.rule_id },
      matched: outcome.matched,
      errors: outcome.errors,
    })),
    untested,
  };
}

async function show(
  out: Output,
  results: readonly CaseResult[],
  failed: readonly CaseResult[],
  untested: readonly string[],
): Promise<void> {
  for (const { case: one, outcome, wrong } of failed) {
    const matched = outcome.matched.map(({ rule_id }) => rule_id).join(", ") || "none";
    await out.line(
      [
        `${out.paint("red", "fail")} ${out.bold(`${one.file}:${one.line}`)} ${oneLine(one.name, 200)}`,
        ...wrong.map((sentence) => `     ${oneLine(sentence, 400)}`),
        `     ${out.dim(`Rules that matched: ${matched}.`)}`,
      ].join("\n"),
    );
  }
  const held = results.length - failed.length;
  await out.line(`${failed.length === 0 ? "ok: " : ""}${held} of ${results.length} cases hold.`);
  if (untested.length > 0) out.note(`No case is decided by ${untested.join(", ")}.`);
}
