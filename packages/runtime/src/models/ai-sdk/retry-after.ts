/** No provider means longer; a header that says so is not believed. */
const LONGEST_MS = 24 * 3_600_000;

/** What the provider asks to wait: `retry-after-ms`, `retry-after` in seconds or as a date, or Google's `retryDelay`. */
export function retryAfterOf(
  headers: Readonly<Record<string, string>>,
  body?: string,
  now: () => number = Date.now,
): number | undefined {
  const exact = headers["retry-after-ms"];
  const given = headers["retry-after"];
  const delay = body === undefined ? undefined : /"retryDelay"\s*:\s*"([\d.]+)s"/.exec(body)?.[1];
  return (
    millis(exact, 1) ??
    millis(given, 1_000) ??
    (given !== undefined && /^[A-Z][a-z]{2},/.test(given) ? until(Date.parse(given), now()) : undefined) ??
    millis(delay, 1_000)
  );
}

function millis(text: string | undefined, unit: number): number | undefined {
  if (text === undefined || !/^\d+(\.\d+)?$/.test(text.trim())) return undefined;
  return Math.min(Math.ceil(Number(text) * unit), LONGEST_MS);
}

function until(moment: number, now: number): number | undefined {
  return Number.isNaN(moment) ? undefined : Math.min(Math.max(0, moment - now), LONGEST_MS);
}
