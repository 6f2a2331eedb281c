/** What a secret looks like in a text. Each match, or the part a look-behind leaves of it, is replaced. */
export interface Rule {
  readonly kind: string;
  /** Linear: no nested or overlapping repetition without a bound. */
  readonly regex: RegExp;
  /** Literals in lower case; every text that the rule can change holds one of them. */
  readonly hints: readonly string[];
  /** A second look at what matched: prose and code must pass. */
  readonly accept?: (match: string) => boolean;
}

/** Keys and tokens mix letters with digits, or capitals with small letters; words do not. */
function random(text: string): boolean {
  return /\d/.test(text) && /[A-Za-z]/.test(text) ? text.length >= 6 : /[a-z][A-Z]+[a-z]+[A-Z]/.test(text);
}

/** A key in the style `sk-live-…`: one of its pieces is long and random. */
function keyLike(text: string): boolean {
  return text.split(/[-_]/).some((piece) => piece.length >= 12 && /\d/.test(piece) && /[A-Za-z]/.test(piece));
}

/** No word that people put after "bearer" is this long. */
function bearerToken(match: string): boolean {
  const token = match.slice("bearer".length).trim();
  return token.length >= 16 || random(token);
}

/** Base64 of `name:password`. */
function basicCredentials(match: string): boolean {
  const decoded = Buffer.from(match.replace(/^\S+\s+/, ""), "base64").toString("latin1");
  return /^[\x20-\x7e]*:[\x20-\x7e]*$/.test(decoded);
}

const NAMES =
  "password|passwd|passphrase|pwd|secret|api[_-]?key|access[_-]?key|private[_-]?key|(?:auth|access|refresh|bearer|id)?[_-]?token|credentials?";
const NAME_HINTS = ["passw", "passphrase", "pwd", "secret", "key", "token", "credential"];

export const RULES: readonly Rule[] = [
  // These two first: a part of them may look like another secret.
  {
    kind: "private-key",
    // Without an end, as much as a key can be: it may have been cut off.
    regex:
      /-----BEGIN [A-Z0-9 ]{0,40}PRIVATE KEY[A-Z ]{0,10}-----(?:[\s\S]{0,40000}?-----END [A-Z0-9 ]{0,40}PRIVATE KEY[A-Z ]{0,10}-----|[\s\S]{0,40000})/g,
    hints: ["-----begin"],
  },
  { kind: "jwt", regex: /\beyJ[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]{8,}/g, hints: ["eyj"] },
  {
    kind: "api-key",
    regex: /\b(?:sk|pk|rk)[-_][A-Za-z0-9_-]{16,}/g,
    hints: ["sk-", "sk_", "pk-", "pk_", "rk-", "rk_"],
    accept: keyLike,
  },
  { kind: "fairlead-token", regex: /\bflt_[A-Za-z0-9_-]{16,}/g, hints: ["flt_"] },
  {
    kind: "github-token",
    regex: /\b(?:gh[pousr]_[A-Za-z0-9]{20,}|github_pat_[A-Za-z0-9_]{20,})/g,
    hints: ["ghp_", "gho_", "ghu_", "ghs_", "ghr_", "github_pat_"],
  },
  { kind: "gitlab-token", regex: /\bglpat-[A-Za-z0-9_-]{16,}/g, hints: ["glpat-"] },
  { kind: "slack-token", regex: /\bxox[abeprs]-[A-Za-z0-9-]{10,}/g, hints: ["xox"] },
  { kind: "aws-key", regex: /\b(?:AKIA|ASIA)[0-9A-Z]{16}\b/g, hints: ["akia", "asia"] },
  {
    kind: "google-key",
    regex: /\b(?:AIza[A-Za-z0-9_-]{30,}|ya29\.[A-Za-z0-9_-]{20,})/g,
    hints: ["aiza", "ya29."],
  },
  { kind: "npm-token", regex: /\bnpm_[A-Za-z0-9]{30,}/g, hints: ["npm_"] },
  // A header says that what follows is a credential, whatever it looks like.
  {
    kind: "authorization",
    regex:
      /(?<=\bauthorization["']?\s{0,3}[:=]\s{0,3}["']?(?:bearer|basic|token|digest|apikey|negotiate)\s{1,3})[^\s"',;]{4,}/gi,
    hints: ["authorization"],
  },
  {
    kind: "authorization",
    regex: /(?<=\bauthorization["']?\s{0,3}[:=]\s{0,3}["']?)[^\s"',;]{8,}/gi,
    hints: ["authorization"],
    accept: random,
  },
  {
    kind: "header",
    regex:
      /(?<=\b(?:x-)?(?:api-key|auth-token|access-token|csrf-token)["']?\s{0,3}:\s{0,3}["']?)[^\s"',;]{6,}/gi,
    hints: ["-key", "-token"],
  },
  {
    kind: "cookie",
    regex: /(?<=\b(?:set-)?cookie["']?:\s{0,3})[^\s"'=;]{1,80}=[^\s"';]{6,}/gi,
    hints: ["cookie"],
  },
  {
    kind: "bearer",
    regex: /\bbearer\s{1,3}[A-Za-z0-9._~+/-]{8,}=*/gi,
    hints: ["bearer"],
    accept: bearerToken,
  },
  {
    kind: "basic-auth",
    regex: /\bbasic\s{1,3}[A-Za-z0-9+/]{8,}={0,2}/gi,
    hints: ["basic"],
    accept: basicCredentials,
  },
  { kind: "url-password", regex: /(?<=:\/\/[^\s/:@"]{0,100}:)[^\s/@"]{1,200}(?=@)/g, hints: ["://"] },
  {
    kind: "user-option",
    regex: /(?<=\s(?:-u|--user)[ =]["']?[^\s:"']{1,80}:)[^\s"']{2,}/g,
    hints: [" -u", "--user"],
  },
  {
    kind: "option",
    regex: new RegExp(`(?<=--(?:[a-z]{1,20}-)?(?:${NAMES})(?:=|\\s{1,3})["']?)[^\\s"'-][^\\s"']{3,}`, "gi"),
    hints: NAME_HINTS.map((hint) => hint),
  },
  // NAME=value, as environments and query strings have it, without spaces.
  {
    kind: "assignment",
    regex: new RegExp(
      `(?<=\\b[A-Za-z0-9_-]{0,40}(?:password|passwd|passphrase|pwd|_pass)=["']?)[^\\s"'&;]{4,}`,
      "gi",
    ),
    hints: ["passw", "passphrase", "pwd=", "_pass="],
  },
  {
    kind: "assignment",
    regex: new RegExp(`(?<=\\b[A-Za-z0-9_-]{0,40}(?:${NAMES})=["']?)[^\\s"'&,;()]{6,}`, "gi"),
    hints: NAME_HINTS,
    accept: random,
  },
  // name: "value" and name = "value", as code and configuration have it.
  {
    kind: "assignment",
    regex: new RegExp(
      `(?<=\\b[A-Za-z0-9_-]{0,40}(?:${NAMES})["']?\\s{0,3}[:=]{1,2}\\s{0,3}["'])[^\\s"']{4,}(?=["'])`,
      "gi",
    ),
    hints: NAME_HINTS,
  },
  {
    kind: "assignment",
    regex: new RegExp(
      `(?<=\\b[A-Za-z0-9_-]{0,40}(?:${NAMES})["']?\\s{0,3}:\\s{0,3})[^\\s"'&,;(){}]{8,}`,
      "gi",
    ),
    hints: NAME_HINTS,
    accept: random,
  },
];

/** Fields whose whole value is a secret, by the end of their name. */
const SECRET_FIELD =
  /(?:^|[_.\s-]|(?<=[a-z])(?=[A-Z]))(?:password|passwd|passphrase|secret|api[_-]?key|apikey|access[_-]?key|private[_-]?key|(?:access|auth|refresh|id|bearer|session|csrf)[_-]?token|token|authorization|cookie|credentials?)$|_pass$/i;
const FIELD_HINTS = ["pass", "secret", "key", "token", "authorization", "cookie", "credential"];

export function isSecretField(name: string): boolean {
  return SECRET_FIELD.test(name);
}

/** A field of this name may hold an object that is no secret, such as a token of a text. */
export function isPlainWord(name: string): boolean {
  return /^token$/i.test(name);
}

const HINTS = [...new Set([...RULES.flatMap((rule) => rule.hints), ...FIELD_HINTS])];
// "key" and "token" are frequent: only where a name may end.
const NARROWED: Readonly<Record<string, string>> = {
  key: "key(?![a-z])",
  token: "token(?![a-z])",
  pass: "pass(?![ei])",
  asia: "asia[0-9a-z]{16}",
};
const SUSPICIOUS = new RegExp(
  HINTS.map((hint) => NARROWED[hint] ?? hint.replaceAll(/[.*+?^${}()|[\]\\/]/g, "\\$&")).join("|"),
);

/** A quick look at JSON text, because it runs on every append: false means that no rule can change it. */
export function isSuspicious(json: string): boolean {
  return SUSPICIOUS.test(json.toLowerCase());
}
