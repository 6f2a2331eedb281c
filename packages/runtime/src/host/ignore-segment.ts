/** How much may be compared for one name. Honest rules need a hundredth; whoever gets to the end is taken to match. */
export interface Effort {
  left: number;
}

/** `*`, `?`, a character after a quote, or a set of characters. */
export type Element = "*" | "?" | `'${string}` | CharacterSet;

interface CharacterSet {
  readonly negated: boolean;
  readonly ranges: readonly (readonly [number, number])[];
}

/** What one name is compared with. */
export interface Segment {
  /** `**`: any number of names. */
  readonly deep: boolean;
  readonly elements: readonly Element[];
  /** Where it has no wildcard. */
  readonly plain: string | undefined;
}

const CLASSES: Readonly<Record<string, readonly (readonly [number, number])[]>> = {
  alnum: spans("09", "AZ", "az"),
  alpha: spans("AZ", "az"),
  blank: spans("  ", "\t\t"),
  cntrl: spans("\0\x1f", "\x7f\x7f"),
  digit: spans("09"),
  graph: spans("!~"),
  lower: spans("az"),
  print: spans(" ~"),
  punct: spans("!/", ":@", "[`", "{~"),
  space: spans("\t\r", "  "),
  upper: spans("AZ"),
  xdigit: spans("09", "AF", "af"),
};

/** The elements between slashes; undefined where git takes the pattern for broken, which matches nothing. */
export function elementsOf(text: string): readonly (readonly Element[])[] | undefined {
  const segments: Element[][] = [[]];
  for (let i = 0; i < text.length; i++) {
    let char = text[i] ?? "";
    if (char === "[") {
      const found = setAt(text, i + 1);
      if (found === undefined) return undefined;
      segments.at(-1)?.push(found.set);
      i = found.end;
      continue;
    }
    const escaped = char === "\\";
    if (escaped) char = text[++i] ?? "";
    if (char === "") return undefined;
    if (char === "/") segments.push([]);
    else segments.at(-1)?.push(!escaped && (char === "*" || char === "?") ? char : `'${char}`);
  }
  return segments;
}

/** Greedy, with one star to go back to: at most the product of both lengths. */
export function segmentMatches({ elements, plain }: Segment, name: string, effort: Effort): boolean {
  effort.left -= 1;
  if (plain !== undefined) return plain === name;
  let [at, of, star, from] = [0, 0, -1, 0];
  while (at < name.length) {
    if (--effort.left <= 0) return true;
    const element = elements[of];
    if (element === "*") {
      if (of === elements.length - 1) return true;
      [star, from] = [of, at];
      of += 1;
    } else if (element !== undefined && takes(element, name, at)) {
      of += 1;
      at += 1;
    } else if (star >= 0) {
      from += 1;
      [at, of] = [from, star + 1];
    } else return false;
  }
  while (elements[of] === "*") of += 1;
  return of === elements.length;
}

function takes(element: Element, name: string, at: number): boolean {
  if (element === "?") return true;
  if (typeof element === "string") return element[1] === name[at];
  const code = name.charCodeAt(at);
  return element.ranges.some(([low, high]) => code >= low && code <= high) !== element.negated;
}

/** The set whose first character this is, and where its bracket closes. */
function setAt(
  text: string,
  start: number,
): { readonly set: CharacterSet; readonly end: number } | undefined {
  const negated = text[start] === "!" || text[start] === "^";
  const first = negated ? start + 1 : start;
  const ranges: (readonly [number, number])[] = [];
  let before: number | undefined;
  for (let i = first; ; i++) {
    const char = text[i];
    if (char === undefined) return undefined;
    if (char === "]" && i > first) return { set: { negated, ranges }, end: i };
    if (char === "[" && text[i + 1] === ":") {
      const end = text.indexOf("]", i + 2);
      if (end < 0) return undefined;
      if (text[end - 1] === ":" && end - 1 >= i + 2) {
        const known = CLASSES[text.slice(i + 2, end - 1)];
        if (known === undefined) return undefined;
        ranges.push(...known);
        before = undefined;
        i = end;
        continue;
      }
    }
    const isRange = char === "-" && before !== undefined && text[i + 1] !== undefined && text[i + 1] !== "]";
    if (isRange) i += 1;
    if (text[i] === "\\") i += 1;
    if (i >= text.length) return undefined;
    const code = text.charCodeAt(i);
    ranges.push([isRange ? (before ?? code) : code, code]);
    before = isRange ? undefined : code;
  }
}

function spans(...pairs: readonly string[]): readonly (readonly [number, number])[] {
  return pairs.map((pair) => [pair.charCodeAt(0), pair.charCodeAt(1)] as const);
}
