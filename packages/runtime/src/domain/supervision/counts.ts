import { REST } from "../policy/input.ts";

/** Names counted apart in one table; the rest are counted together, and each of them counts for all. */
const MOST_NAMES = 200;

export function add(table: Record<string, number>, name: string): void {
  const known = table[name];
  if (known !== undefined) table[name] = known + 1;
  else if (name.length <= 100 && Object.keys(table).length < MOST_NAMES) table[name] = 1;
  else table[REST] = (table[REST] ?? 0) + 1;
}

/** What can be added up; anything else is nothing. */
export function amount(value: unknown): number {
  return typeof value === "number" && Number.isFinite(value) && value > 0 ? value : 0;
}
