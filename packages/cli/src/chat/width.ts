const graphemes = new Intl.Segmenter(undefined, { granularity: "grapheme" });

const WIDE =
  /[\u1100-\u115f\u2e80-\u303e\u3041-\u33ff\u3400-\u4dbf\u4e00-\u9fff\ua000-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe4f\uff00-\uff60\uffe0-\uffe6\u{20000}-\u{3fffd}]|\p{Emoji_Presentation}|\ufe0f/u;
const INVISIBLE = /^[\p{Mn}\p{Me}\p{Cf}]+$/u;
// oxlint-disable-next-line no-control-regex
const PLAIN = /^[\x20-\x7e]*$/;

/** What a person takes for one character. */
export function charactersOf(text: string): string[] {
  return PLAIN.test(text) ? text.split("") : [...graphemes.segment(text)].map(({ segment }) => segment);
}

/** Columns that one character takes. */
function characterWidth(character: string): number {
  if (INVISIBLE.test(character)) return 0;
  return WIDE.test(character) ? 2 : 1;
}

/** Columns that a text without control characters takes. */
export function textWidth(text: string): number {
  if (PLAIN.test(text)) return text.length;
  return charactersOf(text).reduce((sum, character) => sum + characterWidth(character), 0);
}

/** As much of it as fits, with a sign that there was more. */
export function cut(text: string, width: number): string {
  if (textWidth(text) <= width) return text;
  const head = fitting(text, Math.max(0, width - 1));
  return width < 1 ? "" : `${head}…`;
}

/** The longest beginning that is no wider than this. */
export function fitting(text: string, width: number): string {
  if (PLAIN.test(text)) return text.slice(0, width);
  let taken = "";
  let used = 0;
  for (const character of charactersOf(text)) {
    used += characterWidth(character);
    if (used > width) break;
    taken += character;
  }
  return taken;
}
