import type { ToolArguments } from "../../ports/tool.ts";
import type { Coerced, GuardFault, SchemaFault } from "./types.ts";
import { argumentAt, keysOf, shown } from "./words.ts";

const NUMBER = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d{1,2})?$/;
/** A number of so many digits comes back from a double as it was written. */
const EXACT_DIGITS = 15;

type Mended = { readonly value: unknown } | "drop" | undefined;

/**
 * Arguments with every fault mended that has one reading only. Undefined when one of them cannot be: the call goes
 * back to the model anyway, and then with all its faults.
 */
export function coerce(args: ToolArguments, faults: readonly SchemaFault[]): Coerced | undefined {
  const mended = structuredClone(args) as Record<string, unknown>;
  const repairs: GuardFault[] = [];
  for (const { kind, at, wants } of faults) {
    const keys = keysOf(at);
    const last = keys.at(-1);
    const holder = keys.slice(0, -1).reduce(child, mended);
    if (wants === undefined || last === undefined || !isHolder(holder)) return undefined;
    const value = child(holder, last);
    const result = mend(value, wants);
    if (result === undefined) return undefined;
    // An item of a list cannot be dropped: the others would move.
    if (result === "drop" && Array.isArray(holder)) return undefined;
    if (result === "drop") delete holder[last];
    else holder[last] = result.value;
    repairs.push({ kind, at, error: `${argumentAt(at)} came as ${shown(value)} and was ${taken(result)}.` });
  }
  return { arguments: mended, repairs };
}

function mend(value: unknown, { types = [], values }: NonNullable<SchemaFault["wants"]>): Mended {
  // `null` for "not given". Where it is required the schema says so when it is asked again.
  if (value === null) return "drop";
  if (typeof value !== "string") return undefined;
  const readings: unknown[] = (values ?? []).filter((allowed) => sameButCase(value, allowed));
  if (types.includes("number") || types.includes("integer")) readings.push(...numbersIn(value));
  if (types.includes("boolean") && (value === "true" || value === "false")) readings.push(value === "true");
  return readings.length === 1 ? { value: readings[0] } : undefined;
}

function sameButCase(value: string, allowed: unknown): boolean {
  return typeof allowed === "string" && allowed.toLowerCase() === value.toLowerCase();
}

/** The number that a text says exactly. Not `007`, `0x10`, ` 4` or what a double would round. */
function numbersIn(text: string): readonly number[] {
  if (!NUMBER.test(text)) return [];
  const number = Number(text) + 0;
  const digits = text
    .replace(/[eE].*$/, "")
    .replaceAll(/\D/g, "")
    .replace(/^0+/, "");
  return digits.length <= EXACT_DIGITS || (/^-?\d+$/.test(text) && Number.isSafeInteger(number))
    ? [number]
    : [];
}

function taken(result: Exclude<Mended, undefined>): string {
  return result === "drop" ? "left out" : `taken as ${shown(result.value)}`;
}

function child(holder: unknown, key: string): unknown {
  return isHolder(holder) && Object.hasOwn(holder, key) ? holder[key] : undefined;
}

function isHolder(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null;
}
