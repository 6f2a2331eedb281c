import type { EventType } from "@fairlead/ahp";
import { isRecord } from "../is-record.ts";
import type { Expression } from "./cel/condition.ts";
import { compileExpression } from "./cel/condition.ts";
import type { ConditionContext } from "./cel/views.ts";
import type { Path } from "./file/yaml-file.ts";
import type { Flaw } from "./problem.ts";

/** Gives the merge patch for an input. Throws when an expression in it cannot be evaluated. */
export type Patch = (context: ConditionContext) => unknown;

type Part = { readonly patch: Patch; readonly constant: boolean };

/** Compiles a patch: JSON, in which `{ cel: "…" }` stands for the value of an expression. */
export function compilePatch(
  value: unknown,
  on: readonly EventType[],
  flawed: (path: Path, flaw: Flaw) => void,
): Patch {
  const compile = (part: unknown, path: Path): Part => {
    const text = expressionIn(part);
    if (text !== undefined) {
      const expression: Expression | Flaw = compileExpression(text, on);
      if (!("code" in expression)) return { patch: (context) => expression.value(context), constant: false };
      flawed([...path, "cel"], expression);
      return { patch: () => null, constant: true };
    }
    if (typeof part !== "object" || part === null) return { patch: () => part, constant: true };
    const entries = Object.entries(part).map(
      ([key, item], i) => [key, compile(item, [...path, Array.isArray(part) ? i : key])] as const,
    );
    if (entries.every(([, { constant }]) => constant)) return { patch: () => part, constant: true };
    const make = Array.isArray(part)
      ? (context: ConditionContext) => entries.map(([, { patch }]) => patch(context))
      : (context: ConditionContext) =>
          Object.fromEntries(entries.map(([key, { patch }]) => [key, patch(context)]));
    return { patch: make, constant: false };
  };
  return compile(value, []).patch;
}

function expressionIn(part: unknown): string | undefined {
  if (typeof part !== "object" || part === null) return undefined;
  const [[key, text] = [], ...more] = Object.entries(part);
  return key === "cel" && typeof text === "string" && more.length === 0 ? text : undefined;
}

/** RFC 7396: null takes a field away, an object goes into an object, anything else stands in its place. */
export function mergePatch(target: unknown, patch: unknown): unknown {
  if (!isRecord(patch)) return patch;
  const merged = new Map(isRecord(target) ? Object.entries(target) : []);
  for (const [key, value] of Object.entries(patch)) {
    if (value === null) merged.delete(key);
    else merged.set(key, mergePatch(merged.get(key), value));
  }
  return Object.fromEntries(merged);
}
