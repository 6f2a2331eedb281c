/** Statuses that ask for patience, not for another request. */
const PASSING = new Set([408, 425, 429]);

/** Whether asking the same again can only get the same answer: no credential, no such session, no such cursor. */
export function isFinal(error: unknown): boolean {
  const status = (error as { status?: number | null } | null)?.status ?? null;
  return status !== null && status < 500 && !PASSING.has(status);
}
