import { ParseError } from "@marcbachmann/cel-js";
import { expect, it } from "vitest";
import { ENVIRONMENT } from "../../src/domain/policy/cel/environment.ts";
import { compilePattern, testPattern } from "../../src/domain/policy/cel/pattern.ts";

const { ast: node } = ENVIRONMENT.parse("true");

it("a pattern is compiled once, and still found right after any number of others", () => {
  const first = compilePattern("^a+b$", node);
  expect(compilePattern("^a+b$", node)).toBe(first);
  for (let i = 0; i < 2_500; i++) expect(testPattern(compilePattern(`^${i}$`, node), String(i))).toBe(true);
  expect(testPattern(compilePattern("^a+b$", node), "aab")).toBe(true);
  expect(testPattern(compilePattern("^a+b$", node), "aac")).toBe(false);
});

it("a pattern that cannot be read is refused each time", () => {
  for (let i = 0; i < 2; i++) expect(() => compilePattern("(", node)).toThrow(ParseError);
});
