/** A path of the workspace as its segments; undefined when it may lead elsewhere. The workspace itself has none. */
export function pathSegments(path: string): readonly string[] | undefined {
  // oxlint-disable-next-line no-control-regex
  if (path === "" || /^[/~]|^[a-z]:|[\\\u0000-\u001f\u007f]/i.test(path)) return undefined;
  const segments = path.split("/").filter((segment) => segment !== "" && segment !== ".");
  return segments.includes("..") ? undefined : segments;
}

/** `src/**`, `notes/*.md`. `*` is part of one segment, `**` any number of them; no other sign is special. */
export function readPathPattern(text: string): readonly string[] | undefined {
  if (/[?[\]{}!]/.test(text)) return undefined;
  const segments = pathSegments(text);
  const mixed = segments?.some((segment) => segment.includes("**") && segment !== "**");
  return mixed === false ? segments : undefined;
}

/** Wild signs pass over names that begin with a dot: `.env` and `.git` must be named. */
export function matchesPath(pattern: readonly string[], path: string): boolean {
  const segments = pathSegments(path);
  if (segments === undefined || segments.length > 200) return false;
  // reach[i]: the pattern so far can end before segment i.
  let reach = segments.map((_, i) => i === 0).concat(segments.length === 0);
  for (const part of pattern) {
    const next = reach.map(() => false);
    for (let i = 0; i <= segments.length; i++) {
      if (part === "**") {
        const passed = i > 0 && next[i - 1] === true && !(segments[i - 1] as string).startsWith(".");
        next[i] = reach[i] === true || passed;
      } else if (i > 0 && reach[i - 1] === true) next[i] = matchesSegment(part, segments[i - 1] as string);
    }
    reach = next;
  }
  return reach.at(-1) === true;
}

function matchesSegment(pattern: string, segment: string): boolean {
  const [first = "", ...rest] = pattern.split("*");
  if (rest.length === 0) return pattern === segment;
  if (first === "" && segment.startsWith(".")) return false;
  const last = rest.pop() ?? "";
  if (!segment.startsWith(first) || segment.length < first.length + last.length || !segment.endsWith(last))
    return false;
  let at = first.length;
  for (const piece of rest) {
    const found = segment.indexOf(piece, at);
    if (found === -1) return false;
    at = found + piece.length;
  }
  return at <= segment.length - last.length;
}
