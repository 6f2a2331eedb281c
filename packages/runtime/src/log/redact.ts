/** Replaces secrets in data that is about to be stored. Returns the same text when there are none. */
export interface Redactor {
  redact(dataJson: string): string;
}

interface Pattern {
  readonly kind: string;
  readonly source: string;
}

/** What a secret looks like wherever it stands. Linear: no nested or overlapping repetition. */
const VALUE_PATTERNS: readonly Pattern[] = [
  { kind: "api-key", source: "\\b(?:sk|pk|rk)[-_][A-Za-z0-9_-]{16,}" },
  { kind: "fairlead-token", source: "\\bflt_[A-Za-z0-9_-]{16,}" },
  { kind: "github-token", source: "\\b(?:gh[pousr]_[A-Za-z0-9]{20,}|github_pat_[A-Za-z0-9_]{20,})" },
  { kind: "gitlab-token", source: "\\bglpat-[A-Za-z0-9_-]{16,}" },
  { kind: "slack-token", source: "\\bxox[abeprs]-[A-Za-z0-9-]{10,}" },
  { kind: "aws-key", source: "\\b(?:AKIA|ASIA)[0-9A-Z]{16}\\b" },
  { kind: "google-key", source: "\\b(?:AIza[A-Za-z0-9_-]{30,}|ya29\\.[A-Za-z0-9_-]{20,})" },
  { kind: "npm-token", source: "\\bnpm_[A-Za-z0-9]{30,}" },
  { kind: "jwt", source: "\\beyJ[A-Za-z0-9_-]{8,}\\.[A-Za-z0-9_-]{8,}\\.[A-Za-z0-9_-]{8,}" },
  {
    kind: "private-key",
    source: "-----BEGIN [A-Z ]{0,20}PRIVATE KEY-----[^-]{0,20000}(?:-----END [A-Z ]{0,20}PRIVATE KEY-----)?",
  },
  { kind: "bearer", source: "\\b[Bb]earer\\s+[A-Za-z0-9._~+/-]{8,}=*" },
  { kind: "basic-auth", source: "\\b[Bb]asic\\s+[A-Za-z0-9+/]{12,}={0,2}" },
  { kind: "url-password", source: '(?<=://[^\\s/:@"]{0,100}:)[^\\s/@"]{1,200}(?=@)' },
  {
    kind: "assignment",
    source:
      "(?<=\\b[A-Za-z0-9_-]{0,40}(?:[Pp]assword|PASSWORD|[Pp]asswd|PASSWD|[Ss]ecret|SECRET|[Aa]pi[_-]?[Kk]ey|API[_-]?KEY|[Tt]oken|TOKEN)[\"']?\\s?[=:]\\s?[\"']?)[^\\s\"'&,;]{6,}",
  },
];

/** Fields whose whole value is a secret, by the end of their name. */
const SECRET_KEY =
  /(?:^|[_.-]|(?<=[a-z])(?=[A-Z]))(?:password|passwd|passphrase|secret|api[_-]?key|apikey|access[_-]?key|private[_-]?key|(?:access|auth|refresh|id|bearer|session|csrf)[_-]?token|token|authorization|proxy-authorization|cookie|set-cookie|credentials?)$/i;

/**
 * A quick look at the JSON text: false means that nothing in it can match. One pass with literal
 * starts, because it runs on every append and almost every event has no secret.
 */
const SUSPICIOUS =
  /[sprSPR]k[-_][A-Za-z0-9]|flt_|gh[pousr]_|github_pat_|glpat-|xox[abeprs]-|AKIA|ASIA|AIza|ya29\.|npm_|eyJ|-----BEGIN|earer\s|asic\s|:\/\/[^\s/]+@|[Pp]ass|PASS|[Ss]ecret|SECRET|[Aa]pi[_-]?[Kk]ey|API[_-]?KEY|[Tt]oken\\?["'= :]|TOKEN|uthorization|[Cc]ookie|redential|(?:ccess|rivate)[_-]?[Kk]ey/;

export interface RedactorOptions {
  /** Own patterns, as regular expression sources; each match is replaced whole. */
  readonly patterns?: readonly string[];
}

export function createRedactor(options: RedactorOptions = {}): Redactor {
  const own = (options.patterns ?? []).map((source) => ({ kind: "custom", source }));
  const rules = [...VALUE_PATTERNS, ...own].map(({ kind, source }) => ({
    regex: new RegExp(source, "g"),
    replacement: `[redacted:${kind}]`,
  }));
  const ownSuspicious = own.map(({ source }) => new RegExp(source));

  function redactText(text: string): string {
    let result = text;
    for (const rule of rules) result = result.replace(rule.regex, rule.replacement);
    return result;
  }

  function redactValue(value: unknown, key: string): unknown {
    if (typeof value === "string") {
      if (value !== "" && SECRET_KEY.test(key)) return "[redacted:field]";
      return redactText(value);
    }
    if (Array.isArray(value)) return value.map((item) => redactValue(item, key));
    if (typeof value !== "object" || value === null) return value;
    // Keys are redacted too: a secret used as a key is no less leaked.
    return Object.fromEntries(
      Object.entries(value).map(([name, item]) => [redactText(name), redactValue(item, name)]),
    );
  }

  return {
    redact(dataJson) {
      // A custom pattern is tried on the JSON text, where quotes and newlines are escaped; one that
      // could only match those characters must be tried on the values, so any escape is suspicious.
      const custom =
        own.length > 0 && (dataJson.includes("\\") || ownSuspicious.some((regex) => regex.test(dataJson)));
      if (!custom && !SUSPICIOUS.test(dataJson)) return dataJson;
      const redacted = JSON.stringify(redactValue(JSON.parse(dataJson), ""));
      return redacted;
    },
  };
}
