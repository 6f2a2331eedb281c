/**
 * A text as it is searched: whatever its case, in any script, and the same in every store, which only compares it. One line
 * without control characters, since no database keeps all of them.
 */
export function folded(text: string): string {
  if (PLAIN.test(text)) return text.toLowerCase();
  return (
    text
      .normalize("NFC")
      .toLowerCase()
      // The dot that a Turkish capital leaves behind, and the form that a sigma has at the end of a word.
      .replaceAll("\u0307", "")
      .replaceAll("ς", "σ")
      .replaceAll(/[\p{Cc}\p{Cs}\p{Zl}\p{Zp}]/gu, "\ufffd")
  );
}

/** Most texts: nothing in them has more than two cases. */
const PLAIN = /^[ -~]*$/;
