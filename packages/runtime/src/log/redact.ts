import { RULES, isPlainWord, isSecretField, isSuspicious } from "./redact-rules.ts";

/** Replaces secrets in data that is about to be stored. Returns the same text when there are none. */
export interface Redactor {
  redact(dataJson: string): string;
}

export interface RedactorOptions {
  /** Own patterns, as regular expression sources; each match is replaced whole. */
  readonly patterns?: readonly string[];
}

export function createRedactor(options: RedactorOptions = {}): Redactor {
  const own = (options.patterns ?? []).map((source) => new RegExp(source, "g"));

  /** An own pattern sees values, not JSON: where the text has escapes, only a walk can tell. */
  function ownMayMatch(json: string): boolean {
    return own.length > 0 && (json.includes("\\") || own.some((regex) => json.search(regex) >= 0));
  }

  function redactText(text: string): string {
    let result = text;
    for (const { kind, regex, accept } of RULES) {
      result = result.replace(regex, (match) =>
        accept === undefined || accept(match) ? `[redacted:${kind}]` : match,
      );
    }
    for (const regex of own) result = result.replace(regex, "[redacted:custom]");
    return result;
  }

  /** `secret`: it stands below a field whose name says so. */
  function redactValue(value: unknown, secret: boolean): unknown {
    if (typeof value === "string") return secret && value !== "" ? "[redacted:field]" : redactText(value);
    if (typeof value === "number") return secret ? "[redacted:field]" : value;
    if (Array.isArray(value)) return value.map((item) => redactValue(item, secret));
    if (typeof value !== "object" || value === null) return value;
    // Keys are redacted too: a secret used as a key is no less leaked.
    return Object.fromEntries(
      Object.entries(value).map(([name, item]) => [
        redactText(name),
        redactValue(item, secret || isSecret(name, item)),
      ]),
    );
  }

  function isSecret(name: string, value: unknown): boolean {
    const nested = typeof value === "object" && value !== null && !Array.isArray(value);
    return isSecretField(name) && typeof value !== "number" && !(nested && isPlainWord(name));
  }

  return {
    redact(dataJson) {
      if (!isSuspicious(dataJson) && !ownMayMatch(dataJson)) return dataJson;
      return JSON.stringify(redactValue(JSON.parse(dataJson), false));
    },
  };
}
