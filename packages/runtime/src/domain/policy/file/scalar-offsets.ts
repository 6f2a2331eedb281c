const ESCAPE = /^\\(?:x[0-9a-fA-F]{2}|u[0-9a-fA-F]{4}|U[0-9a-fA-F]{8}|\r?\n[ \t]*|[^])/;
const BLOCK_HEADER = /^[|>][^\n]*\n/;

/**
 * Where each character of a scalar's value stands in the YAML source. Quoting, escapes, folding and
 * indentation make the two differ. `source` begins with the scalar's first character; the offsets are
 * relative to it.
 */
export function scalarOffsets(source: string, value: string): (offset: number) => number {
  const quote = source[0] === '"' || source[0] === "'" ? source[0] : undefined;
  const header = quote === undefined ? BLOCK_HEADER.exec(source)?.[0].length : undefined;
  const offsets: number[] = [];
  let at = header ?? (quote === undefined ? 0 : 1);
  for (const unit of value.split("")) {
    at = skipTo(source, at, unit);
    offsets.push(at);
    at += width(source, at, quote);
  }
  return (offset) => offsets[offset] ?? at;
}

/** Passes over indentation and line breaks that are not part of the value. */
function skipTo(source: string, from: number, unit: string): number {
  if (isSpace(unit)) return from;
  let at = from;
  while (at < source.length && source[at] !== unit && isSpace(source[at])) at += 1;
  return at;
}

/** How many characters of the source stand for the one at this place. */
function width(source: string, at: number, quote: string | undefined): number {
  if (quote === '"' && source[at] === "\\") return ESCAPE.exec(source.slice(at, at + 64))?.[0].length ?? 1;
  if (quote === "'" && source.startsWith("''", at)) return 2;
  return 1;
}

function isSpace(unit: string | undefined): boolean {
  return unit === " " || unit === "\n" || unit === "\t" || unit === "\r";
}
