import { expect, it } from "vitest";
import { retryAfterOf } from "../../src/models/ai-sdk/retry-after.ts";

const NOW = Date.parse("2026-01-01T00:00:00Z");

it.each([
  [{ "retry-after-ms": "250", "retry-after": "9" }, undefined, 250],
  [{ "retry-after": "1.5" }, undefined, 1_500],
  [{ "retry-after": "Thu, 01 Jan 2026 00:00:07 GMT" }, undefined, 7_000],
  [{ "retry-after": "Wed, 31 Dec 2025 00:00:00 GMT" }, undefined, 0],
  [{ "retry-after": "99999999" }, undefined, 86_400_000],
  [{}, '{"error":{"details":[{"retryDelay":"37s"}]}}', 37_000],
  [{ "retry-after": "soon" }, "{}", undefined],
  [{ "retry-after": "-5" }, undefined, undefined],
  [{}, undefined, undefined],
])("%j %j", (headers, body, ms) => {
  expect(retryAfterOf(headers as Record<string, string>, body, () => NOW)).toBe(ms);
});
