import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { RULES, isSecretField, isSuspicious } from "./redact-rules.ts";
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
  "JWT with a key inside": `eyJ${body}.${body}-sk-${body}.${body}`,
  "encrypted private key": `-----BEGIN RSA PRIVATE KEY-----\nProc-Type: 4,ENCRYPTED\nDEK-Info: AES-256-CBC,AA\n\n${body}\n-----END RSA PRIVATE KEY-----`,
  "PGP private key": `-----BEGIN PGP PRIVATE KEY BLOCK-----\n\n${body}\n-----END PGP PRIVATE KEY BLOCK-----`,
  "private key that was cut off": `-----BEGIN PRIVATE KEY-----\n${body}`,
  "private key": `-----BEGIN RSA PRIVATE KEY-----\n${body}\n${body}\n-----END RSA PRIVATE KEY-----`,
};

const FIELDS = [
  "password",
  "user_password",
  "apiKey",
  "api_key",
  "x-api-key",
  "X-API-Key",
  "clientSecret",
  "Authorization",
  "AUTHORIZATION",
  "access_token",
  "token",
  "set-cookie",
  "HTTP_COOKIE",
  "AWS_SECRET_ACCESS_KEY",
  "AWS_ACCESS_KEY",
  "STRIPE_PRIVATE_KEY",
  "GCP_CREDENTIALS",
  "DB_PASS",
];

const TEXTS: [string, string][] = [
  ["PASSWORD=hunter2hunter2 ./run", "hunter2hunter2"],
  ["DB_PASS=letmein ./run", "letmein"],
  ["postgres password=ab,cdefgh", "cdefgh"],
  ["export API_KEY='abcd1234efgh'", "abcd1234efgh"],
  ["curl -H 'Authorization: Basic YWRhOmxvdmVsYWNl'", "YWRhOmxvdmVsYWNl"],
  ["Authorization: token abcdefgh", "abcdefgh"],
  ["AUTHORIZATION: BEARER abcdefgh", "abcdefgh"],
  ["X-API-Key: abcdefgh", "abcdefgh"],
  ["Cookie: session=abcdefgh", "abcdefgh"],
  ["BEARER Abc123def456", "Abc123def456"],
  ["mysql --password hunter2222 -h db", "hunter2222"],
  ["tool --api-key=abcd1234 run", "abcd1234"],
  ["curl -u ada:lovelace https://example.org", "lovelace"],
  ["git clone https://ada:lovelace9@example.org/x.git", "lovelace9"],
  ['{"password": "inner-json-secret"}', "inner-json-secret"],
  ["api_key: 'only-letters-here'", "only-letters-here"],
  ["client_secret: a1b2c3d4e5", "a1b2c3d4e5"],
];

/** Prose, code and queries that look a little like secrets. They must come through to the byte. */
const ORDINARY = [
  "please write a basic implementation of bearer authentication",
  "The token count is 42; ask-me-anything about task-force planning. Passwords are hard.",
  "const token = tokenizer.next(); if (token === undefined) return;",
  "SyntaxError: Unexpected token: identifier (12:4)",
  "ALTER TABLE x ADD CONSTRAINT pk_customer_order_items PRIMARY KEY (id)",
  "CREATE INDEX sk_orders_by_customer_name ON orders (name)",
  "function login(user: string, password: string): Promise<Token> { return auth(user, password); }",
  "Password: required. Secret: the sauce. Authorization: needed before you go on.",
  "See https://example.org/a@b and mail ada@example.org",
  "a basic understanding, Basic English, basic-auth middleware",
  "props: { apiKey: String, token: string | undefined }",
  "npm_config_registry and asia pacific are words",
  "token_type=bearer&grant_type=password",
];

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

  it.each(FIELDS)("takes out the value of a field named %s, however deep", (name) => {
    expect(redact({ headers: { [name]: "short" } })).not.toContain("short");
    expect(redact({ [name]: ["short"] })).not.toContain("short");
    if (name !== "token")
      expect(redact({ [name]: { value: "short", more: ["short"] } })).not.toContain("short");
  });

  it.each(TEXTS)("takes out the secret of %s", (text, secret) => {
    expect(redact({ text })).not.toContain(secret);
  });

  it.each(ORDINARY)("leaves as it is: %s", (text) => {
    expect(redact({ text })).toBe(JSON.stringify({ text }));
  });

  it("leaves numbers and names that only look alike", () => {
    const plain = {
      tokens_saved: 4200,
      input_tokens: 3,
      secret_hash_count: 1,
      token: { text: "hello" },
      key: "Enter",
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

  it("looks twice at everything that a rule would change", () => {
    const word = fc.constantFrom(...TEXTS.map(([text]) => text), ...Object.values(SECRETS), ...ORDINARY);
    const shaken = fc
      .tuple(
        word,
        fc.constantFrom(
          (t: string) => t,
          (t: string) => t.toUpperCase(),
          (t: string) => t.toLowerCase(),
          (t: string) => t.replaceAll("_", "-"),
        ),
        fc.string(),
      )
      .map(([text, change, tail]) => change(text) + tail);
    fc.assert(
      fc.property(shaken, (text) => {
        const changes = RULES.some(({ regex, accept }) =>
          [...text.matchAll(regex)].some(([match]) => accept?.(match) ?? true),
        );
        if (changes) expect(isSuspicious(JSON.stringify({ text }))).toBe(true);
      }),
      { numRuns: 2_000 },
    );
    const name = fc
      .tuple(fc.constantFrom("", "my_", "X-", "HTTP_", "some"), fc.constantFrom(...FIELDS))
      .map((parts) => parts.join(""));
    fc.assert(
      fc.property(name, (field) => {
        if (isSecretField(field)) expect(isSuspicious(JSON.stringify({ [field]: "x" }))).toBe(true);
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
      "authorization: ".repeat(30_000),
      `token=${"a".repeat(300_000)}`,
      "token".repeat(60_000),
    ]) {
      expect(JSON.parse(redact({ text: hostile }))).toHaveProperty("text");
    }
  });
});
