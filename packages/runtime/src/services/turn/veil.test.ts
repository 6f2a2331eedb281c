import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createRedactor } from "../../log/redact.ts";
import { redacted } from "../redaction.ts";
import { createVeil } from "./veil.ts";

const redact = (text: string) => redacted(createRedactor(), text);

/** Writes the text as a turn would: piece by piece, holding back what may become a secret. */
function written(pieces: readonly string[]): string {
  const veil = createVeil(redact);
  let out = "";
  for (const piece of pieces) {
    veil.add(piece);
    out += veil.take();
  }
  return out + veil.end();
}

/** Cuts a text at the places given. */
function pieces(text: string, places: readonly number[]): string[] {
  const at = [0, ...places.map((place) => place % (text.length + 1)).toSorted((a, b) => a - b), text.length];
  return at.slice(1).map((end, i) => text.slice(at[i], end));
}

const places = fc.array(fc.nat(), { maxLength: 60 });
const SECRETS = [
  "sk-proj-4f9a8b7c6d5e4f3a2b1c0d9e",
  "AKIAIOSFODNN7EXAMPLE",
  "ghp_16C7e42F292c6912E7710c838347Ae178B4a",
  "flt_01j9x0000000_c2VjcmV0LXNlY3JldC1zZWNyZXQ",
  "Bearer q1w2e3r4t5y6u7i8o9p0",
  "password: correct-horse-42-battery",
  'api_key="zyxwvutsrqponmlkjihgfedcba"',
  "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0NTY3ODkwIn0.dozjgNryP4J3jVmNHl0w5N_XgL0n3I9PlFUP0THsR8U",
];
const hidden = (secret: string) => secret.replace(/^(?:Bearer |password: |api_key=")/, "").replace(/"$/, "");

describe("a text that comes in pieces", () => {
  it("shows no secret, wherever it is cut", () => {
    fc.assert(
      fc.property(fc.constantFrom(...SECRETS), places, (secret, cuts) => {
        const shown = written(pieces(`Here it is: ${secret} as you asked, and on it goes.`, cuts));
        const tail = hidden(secret);
        for (let i = 0; i + 8 <= tail.length; i++) expect(shown).not.toContain(tail.slice(i, i + 8));
        expect(shown).toContain("[redacted:");
        expect(shown.startsWith("Here it is: ")).toBe(true);
        expect(shown.endsWith(" as you asked, and on it goes.")).toBe(true);
      }),
      { numRuns: 500 },
    );
  });

  it("is unchanged when there is none, wherever it is cut", () => {
    fc.assert(
      fc.property(fc.lorem({ maxCount: 80 }), places, (text, cuts) => {
        expect(written(pieces(text, cuts))).toBe(text);
      }),
    );
    const code = "const x = a.b-c + 0x1f; // see http://example.org/a?b=c\n\tif (LONG_NAME) return x_y;\n";
    expect(written([...code])).toBe(code);
  });

  it("lets plain words pass at once and does not wait for ever", () => {
    const veil = createVeil(redact);
    const taken = (text: string) => {
      veil.add(text);
      return veil.take();
    };
    expect(taken("Hello")).toBe("Hello");
    expect(taken(", AKI")).toBe(", ");
    expect(taken("RA! ")).toBe("AKIRA! ");
    const long = "x1".repeat(2_000);
    expect(taken(long).length).toBeGreaterThan(3_000);
    expect(taken("\ud83d\ude00".repeat(400)).length).toBeGreaterThan(700);
  });
});

const BASE64URL = fc.constantFrom(..."ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_");
const letters = (least: number, most: number) =>
  fc.string({ unit: BASE64URL, minLength: least, maxLength: most, size: "max" });

/** Up to well beyond what is waited for. */
const jwt = fc
  .tuple(letters(20, 60), letters(500, 24_000), letters(40, 700))
  .map((parts) => `eyJ${parts.join(".A")}`);
const pem = fc
  .tuple(
    fc.constantFrom("", "RSA ", "EC ", "OPENSSH ", "ENCRYPTED "),
    fc.constantFrom("", "Proc-Type: 4,ENCRYPTED\nDEK-Info: AES-256-CBC,0A1B2C3D\n\n"),
    letters(400, 50_000),
    fc.constantFrom("\n", "\\n"),
  )
  .map(([kind, head, body, line]) => {
    const lines =
      body
        .replaceAll("-", "+")
        .replaceAll("_", "/")
        .match(/.{1,64}/g) ?? [];
    return [
      `-----BEGIN ${kind}PRIVATE KEY-----`,
      head + lines.join(line),
      `-----END ${kind}PRIVATE KEY-----`,
    ].join(line);
  });

/** Pieces of about this size, as a model sends them. */
const chunks = (text: string, size: number) =>
  Array.from({ length: Math.ceil(text.length / size) }, (_, i) => text.slice(i * size, (i + 1) * size));

describe("a long secret that comes in pieces", () => {
  /** No run of it that could be of use, but what stands around it. */
  function hides(secret: string, pieces_: readonly string[]): void {
    const shown = written(pieces_);
    const body = secret.replaceAll(/-----[A-Z ]+-----|Proc-Type: 4,ENCRYPTED|DEK-Info: AES-256-CBC,/g, "");
    const seen = new Set(
      chunks(body, 1).flatMap((_, i) => (i + 12 <= body.length ? [body.slice(i, i + 12)] : [])),
    );
    for (let i = 0; i + 12 <= shown.length; i++) expect(seen.has(shown.slice(i, i + 12))).toBe(false);
    expect(shown).toMatch(/^Here it is: .*\[redacted:[\w-]+\].* and on it goes\.$/s);
  }
  const text = (secret: string) => `Here it is: ${secret} as you asked, and on it goes.`;

  it.each([
    ["a JSON web token", jwt],
    ["a private key", pem],
  ])("%s shows nothing of itself, wherever it is cut", (_, secrets) => {
    fc.assert(
      fc.property(secrets, places, fc.integer({ min: 3, max: 200 }), (secret, cuts, size) => {
        hides(secret, pieces(text(secret), cuts));
        hides(secret, chunks(text(secret), size));
      }),
      // Such long texts take for ever to shrink: the seed is enough to find one again.
      { numRuns: 40, endOnFailure: true },
    );
  });

  it("is over where it ends, also when it was given up in the middle of its last mark", () => {
    const key = `-----BEGIN PRIVATE KEY-----\n${"MIIJKQIBAAKCAgEA".repeat(2_100)}\n-----END PRIVATE KEY-----`;
    for (let cut = 1; cut < 30; cut++) {
      const whole = `x ${key} and on`;
      const at = whole.indexOf("-----END") + cut;
      expect(written([whole.slice(0, at), whole.slice(at)])).toBe("x [redacted:private-key] and on");
    }
  });

  it("that never ends stays hidden, and a mere mention is shown once that is certain", () => {
    const body = "MIIJKQIBAAKCAgEA".repeat(4_000);
    expect(written(chunks(`x -----BEGIN PRIVATE KEY-----\n${body}`, 50))).toBe("x [redacted:private-key]");
    expect(written(chunks(`x token=${body}\nand on`, 50))).toBe("x [redacted:token]\nand on");
    const encrypted = `-----BEGIN RSA PRIVATE KEY-----\nProc-Type: 4,ENCRYPTED\n\n${body.slice(0, 300)}`;
    expect(written(chunks(`x ${encrypted}`, 50))).toBe("x [redacted:private-key]");
    const mention = "A certificate begins with -----BEGIN CERTIFICATE----- and has lines of base64.";
    expect(written([...mention])).toBe(mention);
  });
});
