/** Scripts in which a joiner between two letters changes how they look. */
const JOINING =
  "[\\p{Script=Arabic}\\p{Script=Syriac}\\p{Script=Devanagari}\\p{Script=Bengali}\\p{Script=Gurmukhi}\\p{Script=Gujarati}\\p{Script=Oriya}\\p{Script=Tamil}\\p{Script=Telugu}\\p{Script=Kannada}\\p{Script=Malayalam}\\p{Script=Sinhala}]";
const PICTURE = "[\\p{Extended_Pictographic}\\p{Emoji_Modifier}]";

/**
 * A character that nobody sees, or that turns others around: what is shown with it can say something else than what
 * is done. Tab and line break are not among them, nor what joins letters or emoji where it shows.
 */
const HIDDEN = [
  `(?<=${PICTURE}\\ufe0f?)\\u200d(?=${PICTURE})`,
  `(?<=${PICTURE})[\\ufe0e\\ufe0f]`,
  `(?<=${JOINING})[\\u200c\\u200d](?=${JOINING})`,
].reduceRight(
  (rest, fine) => `(?!${fine})${rest}`,
  "(?!\\r\\n)[[\\p{Cc}\\p{Cf}\\p{Cs}\\p{Zl}\\p{Zp}\\p{Default_Ignorable_Code_Point}\\u2800]--[\\t\\n]]",
);
const ALL = new RegExp(HIDDEN, "gv");

/** The text with each hidden character as `show` has it. */
export function replaceHidden(text: string, show: (char: string) => string): string {
  return text.replaceAll(ALL, show);
}

/** As people write it down: `\u202e`, `\u{e0041}`. */
export function escaped(char: string): string {
  const code = (char.codePointAt(0) ?? 0).toString(16);
  return code.length > 4 ? `\\u{${code}}` : `\\u${code.padStart(4, "0")}`;
}

/** The text with nothing hidden in it. */
export function visible(text: string): string {
  return replaceHidden(text, escaped);
}

/** Plain text and escapes in turn, plain text first: for those who can show the difference. */
export function visibleParts(text: string): readonly string[] {
  const parts: string[] = [];
  let from = 0;
  for (const { 0: char, index } of text.matchAll(ALL)) {
    parts.push(text.slice(from, index), escaped(char));
    from = index + char.length;
  }
  parts.push(text.slice(from));
  return parts;
}

/** The value as JSON that reads back as the same and hides nothing. */
export function visibleJson(value: unknown): string {
  const json = JSON.stringify(value, null, 2) ?? "null";
  return replaceHidden(json, (char) =>
    Array.from({ length: char.length }, (_, i) => escaped(char.charAt(i))).join(""),
  );
}
