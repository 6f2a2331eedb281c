import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createRedactor } from "./redact.ts";

const redact = (data: unknown, patterns?: string[]) =>
  createRedactor({ patterns: patterns ?? [] }).redact(JSON.stringify(data));

// Assembled here, so that scanners of this repository do not take them for real ones.
const body = "Abcdef0123456789Abcdef0123456789";
const SECRETS: Record<string, string> = {
  "api key": `sk-ant-${body}`,
  "GitHub token": `ghp_${body}`,
  "GitHub fine-grained token": `github_pat_${body}`,
  "GitLab token": `glpat-${body}`,
  "Slack token": `xoxb-${body}`,
  "AWS key": "AKIAABCDEFGHIJKLMNOP",
  "Google key": `AIza${body}abcd`,
  "npm token": `npm_${body}`,
  "own token": `flt_${body}`,
  JWT: `eyJ${body}.${body}.${body}`,
  "bearer header": `Bearer ${body}`,
  "private key": `-----BEGIN RSA PRIVATE KEY-----\n${body}\n${body}\n-----END RSA PRIVATE KEY-----`,
};

describe("redaction", () => {
  it.each(Object.entries(SECRETS))("takes out a %s wherever it stands", (_, secret) => {
    const core = secret.includes(body) ? body : secret;
    for (const data of [
      { text: secret },
      { text: `see ${secret} there` },
      { deep: [{ list: [secret] }] },
      { [secret]: 1 },
      { text: `"quoted ${secret}"` },
    ]) {
      const result = redact(data);
      expect(result).not.toContain(core);
      expect(result).toContain("[redacted:");
      expect(() => JSON.parse(result) as unknown).not.toThrow();
    }
  });

  it.each([
    "password",
    "user_password",
    "apiKey",
    "api_key",
    "x-api-key",
    "clientSecret",
    "Authorization",
    "access_token",
    "token",
    "set-cookie",
    "AWS_SECRET_ACCESS_KEY",
  ])("takes out the value of a field named %s", (name) => {
    expect(redact({ headers: { [name]: "short" } })).not.toContain("short");
    expect(redact({ [name]: ["short"] })).not.toContain("short");
  });

  it.each([
    ["PASSWORD=hunter2hunter2 ./run", "hunter2hunter2"],
    ["export API_KEY='abcd1234efgh'", "abcd1234efgh"],
    ["curl -H 'Authorization: Basic YWRhOmxvdmVsYWNl'", "YWRhOmxvdmVsYWNl"],
    ["git clone https://ada:lovelace9@example.org/x.git", "lovelace9"],
    ['{"password": "inner-json-secret"}', "inner-json-secret"],
  ])("takes out the secret of %s", (text, secret) => {
    expect(redact({ text })).not.toContain(secret);
  });

  it("leaves ordinary text and look-alikes as they are, to the byte", () => {
    const plain = {
      text: "The token count is 42; ask-me-anything about task-force planning. Passwords are hard.",
      tokens_saved: 4200,
      input_tokens: 3,
      secret_hash_count: 1,
      url: "https://example.org/a@b",
    };
    expect(redact(plain)).toBe(JSON.stringify(plain));
  });

  it("takes out what own patterns match", () => {
    expect(redact({ text: "badge 12-3456-X" }, ["\\d{2}-\\d{4}-X"])).toBe(
      '{"text":"badge [redacted:custom]"}',
    );
    expect(redact({ text: 'a "quoted" word' }, ['"quoted"'])).toBe('{"text":"a [redacted:custom] word"}');
  });

  it("always gives JSON, and never lets a planted secret through", () => {
    const secret = fc.constantFrom(...Object.values(SECRETS).filter((text) => text.includes(body)));
    const planted = fc.tuple(fc.string(), secret, fc.string()).map(([a, found, b]) => `${a} ${found} ${b}`);
    fc.assert(
      fc.property(fc.dictionary(fc.string(), fc.oneof(fc.jsonValue(), planted)), (data) => {
        const result = redact(data);
        expect(result).not.toContain(body);
        JSON.parse(result);
      }),
    );
  });

  it("comes to an end on hostile text", () => {
    for (const hostile of [
      "a:".repeat(200_000),
      "password ".repeat(50_000),
      `${"://a".repeat(50_000)}@`,
      "-----BEGIN PRIVATE KEY-----".repeat(5_000),
      "eyJ".repeat(100_000),
      "bearer ".repeat(50_000),
    ]) {
      expect(JSON.parse(redact({ text: hostile }))).toHaveProperty("text");
    }
  });
});
