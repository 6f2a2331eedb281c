import { type Effort, type Element, elementsOf, type Segment, segmentMatches } from "./ignore-segment.ts";

/** One line of a file of ignore rules. Texts are bytes, each a character, as git compares them. */
export interface IgnorePattern {
  /** It takes back what lines before it leave out. */
  readonly negated: boolean;
  readonly onlyDirectories: boolean;
  /** From the file's directory down; undefined: the last name alone is compared. */
  readonly way: readonly Segment[] | undefined;
  readonly name: Segment | undefined;
}

/** Undefined for lines that match nothing: comments, empty ones, and what git cannot read either. */
export function ignorePattern(line: string): IgnorePattern | undefined {
  let text = line.replace(/\r$/, "");
  if (text === "" || text.startsWith("#")) return undefined;
  text = withoutTrailingSpaces(text);
  const negated = text.startsWith("!");
  if (negated) text = text.slice(1);
  const onlyDirectories = text.endsWith("/");
  if (onlyDirectories) text = text.slice(0, -1);
  if (text === "") return undefined;
  const segments = elementsOf(text.startsWith("/") ? text.slice(1) : text);
  if (segments === undefined) return undefined;
  if (!text.includes("/"))
    return { negated, onlyDirectories, way: undefined, name: segmentOf(segments[0] ?? [], false) };
  return {
    negated,
    onlyDirectories,
    way: segments.map((elements) => segmentOf(elements, true)),
    name: undefined,
  };
}

/** A pattern of names is given a way of one. Each `**` goes back only to itself: never exponential. */
export function patternMatches(pattern: IgnorePattern, way: readonly string[], effort: Effort): boolean {
  if (pattern.name !== undefined) return segmentMatches(pattern.name, way.at(-1) ?? "", effort);
  const segments = pattern.way ?? [];
  let [at, of, star, from] = [0, 0, -1, 0];
  while (at < way.length) {
    const segment = segments[of];
    if (segment?.deep === true) {
      // At the end it is all that is below, and something is.
      if (of === segments.length - 1) return true;
      [star, from] = [of, at];
      of += 1;
    } else if (segment !== undefined && segmentMatches(segment, way[at] ?? "", effort)) {
      of += 1;
      at += 1;
    } else if (star >= 0) {
      from += 1;
      [at, of] = [from, star + 1];
    } else return false;
    if (effort.left <= 0) return true;
  }
  return of === segments.length;
}

function segmentOf(elements: readonly Element[], inWay: boolean): Segment {
  const deep = inWay && elements.length > 1 && elements.every((element) => element === "*");
  const short = elements.filter((element, i) => element !== "*" || elements[i - 1] !== "*");
  const plain = short.every((element) => typeof element === "string" && element !== "*" && element !== "?");
  const texts = short.map((element) => (typeof element === "string" ? element.slice(-1) : ""));
  return { deep, elements: short, plain: plain ? texts.join("") : undefined };
}

/** Spaces that a backslash protects stay. */
function withoutTrailingSpaces(text: string): string {
  let end = 0;
  for (let i = 0; i < text.length; i++) {
    if (text[i] === "\\") i += 1;
    else if (text[i] === " ") continue;
    end = i + 1;
  }
  return text.slice(0, end);
}
