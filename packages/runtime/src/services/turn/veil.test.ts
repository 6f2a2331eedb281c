import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createRedactor } from "../../log/redact.ts";
import { redacted } from "../redaction.ts";
import { createVeil } from "./veil.ts";

const redact = (text: string) => redacted(createRedactor(), text);

/** Writes the text as a turn would: piece by piece, holding back what may become a secret. */
function written(pieces: readonly string[]): string {
  const veil = createVeil(redact);
  let waiting = "";
  let out = "";
  const write = (most: number) => {
    if (most > 0) out += veil.reveal(waiting.slice(0, most));
    waiting = waiting.slice(most);
  };
  for (const piece of pieces) {
    waiting += piece;
    write(veil.ready(waiting));
  }
  write(waiting.length);
  return out;
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
  "password: correct-horse-battery",
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
    expect(veil.ready("Hello")).toBe(5);
    expect(veil.ready("Hello, AKI")).toBe(7);
    expect(veil.ready("x1".repeat(300))).toBe(600);
  });
});
