import { RE2JS } from "re2js";

const LONGEST = 512;

/**
 * Whether a path matches a glob: `*` and `?` within a name, `**` over directories, `{a,b}`, `[a-z]`. A pattern
 * without a slash is about the name alone. Takes linear time, whatever the pattern. Throws on a pattern that is none.
 */
export function glob(pattern: string): (path: string) => boolean {
  if (pattern.length > LONGEST) throw new Error(`pattern is longer than ${LONGEST} characters.`);
  const plain = pattern.replace(/^(\.?\/)+/, "");
  const prefix = plain.includes("/") ? "" : "(?:.*/)?";
  let matcher: RE2JS;
  try {
    matcher = RE2JS.compile(`^(?:${prefix}${translate(plain)})$`, RE2JS.DOTALL);
  } catch {
    throw new Error(`pattern ${JSON.stringify(pattern)} is not a glob: look at its brackets.`);
  }
  return (path) => matcher.matches(path);
}

function translate(pattern: string): string {
  let made = "";
  let braces = 0;
  for (let at = 0; at < pattern.length;) {
    const rest = pattern.slice(at);
    const set = /^\[(!?)((?:[^\]\\]|\\.)+)\]/.exec(rest);
    if (rest.startsWith("**/")) {
      made += "(?:[^/]+/)*";
      at += 3;
    } else if (rest.startsWith("**")) {
      made += ".*";
      at += 2;
    } else if (set !== null) {
      made += `[${set[1] === "" ? "" : "^"}${(set[2] as string).replace(/[\^[]/g, "\\$&")}]`;
      at += set[0].length;
    } else {
      const one = pattern[at] as string;
      if (one === "{") braces++;
      if (one === "}") braces--;
      made += translateOne(one, braces);
      at++;
    }
  }
  return made;
}

function translateOne(one: string, braces: number): string {
  switch (one) {
    case "*":
      return "[^/]*";
    case "?":
      return "[^/]";
    case "{":
      return "(?:";
    case "}":
      return ")";
    case ",":
      return braces > 0 ? "|" : ",";
    default:
      return RE2JS.quote(one);
  }
}
