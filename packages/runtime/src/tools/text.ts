/** Bytes as text; undefined when they are none: a NUL, or not UTF-8. A byte order mark stays. */
export function decodeText(bytes: Uint8Array): string | undefined {
  if (bytes.includes(0)) return undefined;
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return undefined;
  }
}

/** At most so many characters, with a mark where something is missing; no surrogate pair is cut in half. */
export function cut(text: string, max: number): string {
  if (text.length <= max) return text;
  const last = text.charCodeAt(max - 1);
  return `${text.slice(0, last >= 0xd800 && last <= 0xdbff ? max - 1 : max)}…`;
}

/** `1 line`, `2 lines`. */
export function plural(count: number, one: string, many = `${one}s`): string {
  return `${count} ${count === 1 ? one : many}`;
}

/** A path as it is shown in a list: a name with line breaks cannot pretend to be several lines. */
export function plainPath(path: string): string {
  return /\p{Cc}|[\u2028\u2029]/u.test(path) ? JSON.stringify(path) : path;
}
