/** What ids begin with, and the highest number behind it: `call_0-3` is the third `call_0`. */
export type TakenId = readonly [base: string, last: number];

/** Models that count begin anew in every answer, with few ids; those that make ids up do not make the same twice. */
const MOST_BASES = 256;
const HIGHEST = 999_999;
const NUMBERED = /^(.+)-([1-9]\d{0,5})$/s;

/** With this id taken. The bases used last are kept, at the end. */
export function withTaken(taken: readonly TakenId[], id: string): TakenId[] {
  const [base, n] = split(id);
  const at = placeOf(taken, base);
  const made = taken.slice(at === -1 && taken.length >= MOST_BASES ? 1 : 0);
  if (at !== -1) made.splice(at, 1);
  made.push([base, Math.max(n, taken[at]?.[1] ?? 0)]);
  return made;
}

/**
 * The id, or one made from it that no call of the session has. Some models say `call_0` in every answer, and what becomes
 * of a call is told by its id, also when the conversation has forgotten the call.
 */
export function freeId(id: string, taken: readonly TakenId[]): string {
  const [base, n] = id === "" ? (["call", 0] as const) : split(id);
  const last = lastOf(taken, base);
  if (n > last) return id;
  return last < HIGHEST ? `${base}-${last + 1}` : freeId(`${base}_`, taken);
}

function split(id: string): TakenId {
  const [, base, n] = NUMBERED.exec(id) ?? [];
  return base === undefined ? [id, 1] : [base, Number(n)];
}

function lastOf(taken: readonly TakenId[], base: string): number {
  return taken[placeOf(taken, base)]?.[1] ?? 0;
}

/** -1 where it is not there. Looked for by index: taking pairs apart costs more than comparing them. */
function placeOf(taken: readonly TakenId[], base: string): number {
  return taken.findIndex((one) => one[0] === base);
}
