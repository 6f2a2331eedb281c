const SPACE = /(?:[\s\uFEFF]+|\/\/[^\n]*|\/\*[^]*?\*\/)+/y;
const MARK = /[{}[\]:,]/y;
const NUMBER = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?(?![\w.+-])/y;
const WORD = /[A-Za-z_$][\w$-]*/y;
const STRING =
  /"(?:[^"\\]|\\(?:["'\\/bfnrt]|u[\da-fA-F]{4}))*"|'(?:[^'\\]|\\(?:["'\\/bfnrt]|u[\da-fA-F]{4}))*'/y;
const ESCAPE = /\\(?:u([\da-fA-F]{4})|(.))/g;
const ESCAPED: Readonly<Record<string, string>> = { b: "\b", f: "\f", n: "\n", r: "\r", t: "\t" };
const LITERALS = new Map([
  ["true", "true"],
  ["false", "false"],
  ["null", "null"],
  ["True", "true"],
  ["False", "false"],
  ["None", "null"],
]);

/**
 * What a JSON-like text says, mark by mark: quotes, spaces, comments, commas too many and the spelling of literals
 * are no part of that. Undefined where the text could be read in more than one way, or is cut off inside a string.
 * Two texts with the same tokens mean the same.
 */
export function jsonTokens(text: string): readonly string[] | undefined {
  const raw = rawTokens(text);
  if (raw === undefined) return undefined;
  const tokens: string[] = [];
  for (const [i, token] of raw.entries()) {
    const next = raw[i + 1];
    if (token === "," && (next === "}" || next === "]")) continue;
    if (token.startsWith("w")) {
      const literal = next === ":" ? `s${token.slice(1)}` : LITERALS.get(token.slice(1));
      if (literal === undefined) return undefined;
      // A comma that is missing before a key is not in doubt; one between values of a list would be.
      if (next === ":" && endsValue(raw[i - 1])) tokens.push(",");
      tokens.push(literal);
      continue;
    }
    if (token.startsWith("s") && next === ":" && endsValue(raw[i - 1])) tokens.push(",");
    tokens.push(token);
  }
  return tokens;
}

/** Marks as they are, strings as `s` and their value, numbers as `n`, words as `w`. */
function rawTokens(text: string): string[] | undefined {
  const tokens: string[] = [];
  for (let at = 0; at < text.length;) {
    const take = (pattern: RegExp): string | undefined => {
      pattern.lastIndex = at;
      const [found] = pattern.exec(text) ?? [];
      if (found !== undefined) at += found.length;
      return found;
    };
    if (take(SPACE) !== undefined) continue;
    const mark = take(MARK);
    if (mark !== undefined) {
      tokens.push(mark);
      continue;
    }
    const string = take(STRING);
    const number = string === undefined ? take(NUMBER) : undefined;
    const word = string === undefined && number === undefined ? take(WORD) : undefined;
    if (string !== undefined) tokens.push(`s${unescaped(string.slice(1, -1))}`);
    else if (number !== undefined) tokens.push(`n${number}`);
    else if (word !== undefined) tokens.push(`w${word}`);
    else return undefined;
  }
  return tokens;
}

function endsValue(token: string | undefined): boolean {
  return token === "}" || token === "]" || (token !== undefined && /^[swn]/.test(token));
}

function unescaped(text: string): string {
  return text.replace(ESCAPE, (_, code: string | undefined, letter: string) =>
    code === undefined ? (ESCAPED[letter] ?? letter) : String.fromCharCode(Number.parseInt(code, 16)),
  );
}
