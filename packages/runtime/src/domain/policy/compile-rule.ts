import type { EventType } from "@fairlead/ahp";
import { isShallow } from "../canonical.ts";
import type { Condition } from "./cel/condition.ts";
import { compileCondition } from "./cel/condition.ts";
import type { AnyDecision } from "./decision.ts";
import { DECISION_FIELDS, makesPayload, variant } from "./decision.ts";
import type { Path, YamlFile } from "./file/yaml-file.ts";
import type { Patch } from "./patch.ts";
import { compilePatch } from "./patch.ts";
import type { Rule } from "./policy.ts";
import type { Problem } from "./problem.ts";
import type { RuleText } from "./rule.ts";
import { decisionsOf } from "./strictness.ts";
import { suggestion } from "./nearest.ts";

/** Compiles one rule of a file; what is wrong with it goes to `problems`. */
export function compileRule(
  file: YamlFile,
  path: Path,
  text: RuleText,
  problems: Problem[],
): Rule | undefined {
  const before = problems.length;
  const { id, description, on, decide, reason } = text;
  const stray = strayNumber(text, []);
  if (stray !== undefined)
    problems.push(file.at([...path, ...stray], "bad_format", "This is no JSON value."));
  const condition = conditionOf(file, path, text, problems);
  const answers = new Map<EventType, AnyDecision>();
  for (const type of new Set(on)) {
    const answer = answerOf(file, path, text, type, problems);
    if (answer !== undefined) answers.set(type, answer);
  }
  const patch = patchOf(file, path, text, problems);
  if (answers.size > 0) misplaced(file, path, text, problems);
  if (problems.length > before) return undefined;
  const { line, column } = file.at([...path, "id"], "bad_format", "");
  const when = typeof text.when === "string" ? text.when.trim() : undefined;
  return {
    id,
    description,
    on,
    when,
    decide,
    reason,
    file: file.path,
    line,
    column,
    condition,
    answers,
    patch,
  };
}

function conditionOf(
  file: YamlFile,
  path: Path,
  { when, on }: RuleText,
  problems: Problem[],
): Condition | undefined {
  if (when === undefined || when === true) return undefined;
  const never = "The condition is always false.";
  if (when === false) {
    problems.push(file.at([...path, "when"], "never_matches", never));
    return undefined;
  }
  const condition = compileCondition(when, on);
  if ("code" in condition) {
    problems.push(file.inside([...path, "when"], condition));
    return undefined;
  }
  if (condition.ast.op !== "value") return condition;
  if (condition.ast.args === false) problems.push(file.at([...path, "when"], "never_matches", never));
  return undefined;
}

/** The decision that this rule gives to one event type, checked by the protocol's own schema. */
function answerOf(
  file: YamlFile,
  path: Path,
  text: RuleText,
  type: EventType,
  problems: Problem[],
): AnyDecision | undefined {
  const { decide } = text;
  const said: Readonly<Record<string, unknown>> = text;
  const schema = variant(type, decide);
  if (schema === undefined) {
    const known = decisionsOf(type);
    const message = `${type} has no decision ${decide}; it has ${known.join(", ")}.`;
    problems.push(file.at([...path, "decide"], "bad_decision", message, suggestion(decide, known)));
    return undefined;
  }
  const fields = Object.keys(schema.shape).filter(
    (name) => said[name] !== undefined && name !== "modified_payload",
  );
  const stated = { decision: decide, ...Object.fromEntries(fields.map((name) => [name, said[name]])) };
  const whole = makesPayload(type, decide) ? schema.omit({ modified_payload: true }) : schema;
  const read = whole.safeParse(stated);
  if (!read.success) {
    for (const issue of read.error.issues) {
      const missing = issue.path.length > 0 && said[String(issue.path[0])] === undefined;
      const message = missing
        ? `${decide} on ${type} needs ${String(issue.path[0])}.`
        : `${issue.path.join(".")}: ${issue.message}.`;
      problems.push(file.at([...path, ...issue.path], "bad_decision", message));
    }
    return undefined;
  }
  const lost = lostKey(stated, read.data, []);
  if (lost === undefined) return read.data as AnyDecision;
  problems.push(
    file.atKey(
      [...path, ...lost],
      "unknown_key",
      `${lost.join(".")} is nothing that ${decide} on ${type} knows.`,
    ),
  );
  return undefined;
}

function patchOf(
  file: YamlFile,
  path: Path,
  { patch, on, decide }: RuleText,
  problems: Problem[],
): Patch | undefined {
  const wanted = on.some((type) => makesPayload(type, decide));
  if (wanted && patch === undefined) {
    problems.push(
      file.at(
        path,
        "bad_decision",
        "modify needs a patch.",
        "Say what to change, as a merge patch on the payload.",
      ),
    );
  }
  if (patch === undefined) return undefined;
  if (!wanted) problems.push(file.atKey([...path, "patch"], "bad_decision", `${decide} takes no patch.`));
  if (!isShallow(patch))
    problems.push(file.atKey([...path, "patch"], "bad_decision", "The patch nests too deeply."));
  else
    return compilePatch(patch, on, (inner, flaw) =>
      problems.push(file.inside([...path, "patch", ...inner], flaw)),
    );
  return undefined;
}

/** Fields that belong to another decision: whoever wrote them expects something that will not happen. */
function misplaced(file: YamlFile, path: Path, text: RuleText, problems: Problem[]): void {
  const used = new Set(text.on.flatMap((type) => Object.keys(variant(type, text.decide)?.shape ?? {})));
  for (const name of DECISION_FIELDS) {
    if (name === "reason" || !Object.hasOwn(text, name) || used.has(name)) continue;
    problems.push(
      file.atKey(
        [...path, name],
        "bad_decision",
        `${text.decide} on ${text.on.join(", ")} takes no ${name}.`,
      ),
    );
  }
}

/** The first key that was given and that the schema did not read. */
function lostKey(given: unknown, read: unknown, path: Path): Path | undefined {
  if (typeof given !== "object" || given === null || typeof read !== "object" || read === null)
    return undefined;
  for (const [key, value] of Object.entries(given)) {
    const step = Array.isArray(given) ? Number(key) : key;
    if (!Object.hasOwn(read, key) && value !== null) return [...path, step];
    const lost = lostKey(value, (read as Record<string, unknown>)[key], [...path, step]);
    if (lost !== undefined) return lost;
  }
  return undefined;
}

/** YAML has numbers that JSON has not. */
function strayNumber(value: unknown, path: Path): Path | undefined {
  if (typeof value === "number") return Number.isFinite(value) ? undefined : path;
  if (typeof value !== "object" || value === null || path.length > 64) return undefined;
  for (const [key, item] of Object.entries(value)) {
    const stray = strayNumber(item, [...path, Array.isArray(value) ? Number(key) : key]);
    if (stray !== undefined) return stray;
  }
  return undefined;
}
