/** What was written to a session and not sent, kept in this tab: who looks elsewhere finds it again. */

const PREFIX = "fairlead:draft:";

export function draftOf(session: string): string {
  try {
    return sessionStorage.getItem(PREFIX + session) ?? "";
  } catch {
    return "";
  }
}

export function keepDraft(session: string, text: string): void {
  try {
    if (text === "") sessionStorage.removeItem(PREFIX + session);
    else sessionStorage.setItem(PREFIX + session, text);
  } catch {
    // Not allowed, or full: it is in the field still.
  }
}

/** Who signs out leaves nothing written behind. */
export function forgetDrafts(): void {
  try {
    for (const key of Object.keys(sessionStorage)) if (key.startsWith(PREFIX)) sessionStorage.removeItem(key);
  } catch {
    // Nothing was kept either.
  }
}
