import type { EventType } from "@fairlead/ahp";
import { EVENT_TYPES } from "@fairlead/ahp";
import type { z } from "zod";
import { hashJson } from "../canonical.ts";
import { NEVER } from "./cel/direct.ts";
import { compileRule } from "./compile-rule.ts";
import type { Path, SourceText, YamlFile } from "./file/yaml-file.ts";
import { readYaml } from "./file/yaml-file.ts";
import { suggestion } from "./nearest.ts";
import type { Policy, Rule } from "./policy.ts";
import type { Problem } from "./problem.ts";
import { PROBLEMS } from "./problem.ts";
import type { GenericDefault } from "./rule.ts";
import { RuleFile, RuleText } from "./rule.ts";
import { shadowed } from "./shadow.ts";

export type Compiled =
  | { readonly ok: true; readonly policy: Policy }
  | { readonly ok: false; readonly errors: readonly Problem[] };

const MOST_PROBLEMS = 100;

/** What is gathered while files are read. */
interface Gathered {
  readonly rules: Rule[];
  readonly texts: RuleText[];
  readonly problems: Problem[];
  /** Where each id was first used. */
  readonly ids: Map<string, string>;
  generic: GenericDefault | undefined;
}

/** Makes one rule set of rule files, in the order of their paths. Any problem refuses them all. Never throws. */
export function compilePolicy(files: readonly SourceText[]): Compiled {
  const gathered: Gathered = { rules: [], texts: [], problems: [], ids: new Map(), generic: undefined };
  const { rules, texts, problems } = gathered;
  for (const source of files.toSorted((a, b) => (a.path < b.path ? -1 : 1))) {
    const file = readYaml(source);
    if (Array.isArray(file)) problems.push(...file);
    else readFile(file, gathered);
  }
  if (problems.length === 0) problems.push(...shadowed(rules).map(({ rule, by }) => shadowProblem(rule, by)));
  if (problems.length > 0) return { ok: false, errors: problems.slice(0, MOST_PROBLEMS) };
  return { ok: true, policy: policyOf(rules, texts, gathered.generic ?? "allow") };
}

function readFile(file: YamlFile, gathered: Gathered): void {
  const { problems } = gathered;
  const read = RuleFile.safeParse(file.value);
  if (!read.success) {
    problems.push(...read.error.issues.flatMap((issue) => formatProblems(file, [], issue)));
    return;
  }
  const stated = read.data.defaults?.generic;
  if (stated !== undefined && gathered.generic !== undefined && stated !== gathered.generic) {
    problems.push(
      file.at(["defaults", "generic"], "conflicting_default", `Another file says ${gathered.generic}.`),
    );
  }
  gathered.generic ??= stated;
  for (const [i, value] of read.data.rules.entries()) readRule(file, ["rules", i], value, gathered);
}

function readRule(
  file: YamlFile,
  path: Path,
  value: unknown,
  { rules, texts, problems, ids }: Gathered,
): void {
  const read = RuleText.safeParse(value);
  if (!read.success) {
    problems.push(...read.error.issues.flatMap((issue) => formatProblems(file, path, issue)));
    return;
  }
  const { id } = read.data;
  const at = file.at([...path, "id"], "duplicate_id", `There already is a rule ${id}, at ${ids.get(id)}.`);
  if (ids.has(id)) problems.push(at);
  else ids.set(id, `${at.file}:${at.line}`);
  const rule = compileRule(file, path, read.data, problems);
  if (rule === undefined) return;
  rules.push(rule);
  texts.push(read.data);
}

function policyOf(rules: readonly Rule[], texts: readonly RuleText[], generic: GenericDefault): Policy {
  const byType = new Map<EventType, readonly Rule[]>(
    EVENT_TYPES.map((type) => [type, rules.filter(({ on }) => on.includes(type))]),
  );
  const quiet = new Map(
    [...byType].map(([type, all]) => [type, all.filter(({ condition }) => condition?.quiet !== NEVER)]),
  );
  const said = texts.map((text) => ({
    ...text,
    description: undefined,
    when: typeof text.when === "string" ? text.when.trim() : true,
  }));
  return {
    hash: hashJson({ defaults: { generic }, rules: said }),
    rules,
    defaults: { generic },
    rulesOn: (type) => byType.get(type) ?? [],
    quietRulesOn: (type) => quiet.get(type) ?? [],
  };
}

/** What a schema says about the shape of a file or a rule, where it is. */
function formatProblems(file: YamlFile, base: Path, issue: z.core.$ZodIssue): Problem[] {
  const path = [...base, ...issue.path];
  if (issue.code === "unrecognized_keys") {
    const shape =
      base.length > 0 ? RuleText.shape : issue.path.length > 0 ? { generic: null } : RuleFile.shape;
    return issue.keys.map((key) =>
      file.atKey(
        [...path, key],
        "unknown_key",
        `${key} is not known here.`,
        suggestion(key, Object.keys(shape)),
      ),
    );
  }
  const what = path.map(String).join(".");
  const hint =
    issue.path[0] === "on" ? suggestion(String(valueAt(file.value, path)), EVENT_TYPES) : undefined;
  return [file.at(path, "bad_format", `${what === "" ? "The file" : what}: ${issue.message}.`, hint)];
}

function valueAt(value: unknown, path: Path): unknown {
  let found = value;
  for (const step of path) found = (found as Record<PropertyKey, unknown> | undefined)?.[step];
  return found;
}

function shadowProblem(rule: Rule, by: Rule): Problem {
  const { file, line, column } = rule;
  const message = `${rule.id} can never decide: ${by.id} (${by.file}:${by.line}) always comes before it.`;
  return { file, line, column, code: "shadowed", message, hint: PROBLEMS.shadowed };
}
