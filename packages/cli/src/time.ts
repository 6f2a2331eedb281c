const UNITS = [
  ["w", 7 * 86_400_000],
  ["d", 86_400_000],
  ["h", 3_600_000],
  ["m", 60_000],
  ["s", 1_000],
] as const;

/** How long since, in the largest unit that fits. */
export function ago(iso: string, now = Date.now()): string {
  const ms = Math.max(0, now - Date.parse(iso));
  const [unit, size] = UNITS.find(([, size]) => ms >= size) ?? ["s", 1_000];
  return `${Math.floor(ms / size)} ${unit} ago`;
}

/** `30d`, `12h`, `45m`, `2w`, or a date: when that is. Undefined: neither. */
export function momentOf(text: string, now = Date.now()): string | undefined {
  const span = /^(\d{1,6})([wdhms])$/.exec(text);
  const size = UNITS.find(([unit]) => unit === span?.[2])?.[1];
  if (span !== null && size !== undefined) return dateText(now + Number(span[1]) * size);
  return /^\d{4}-\d{2}-\d{2}/.test(text) ? dateText(Date.parse(text)) : undefined;
}

function dateText(ms: number): string | undefined {
  return Number.isNaN(new Date(ms).getTime()) ? undefined : new Date(ms).toISOString();
}
