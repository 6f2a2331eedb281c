import { expect, test } from "vitest";
import type { FrontendFrame } from "../src/index.ts";
import { timelineOf } from "../src/view/index.ts";
import { frame, shown } from "./support/frame.ts";

const SOON = "2026-01-01T00:00:09.000Z";
const LATER = "2026-01-01T00:00:18.000Z";

const diagnostic = (kind: string, reason: string, details: object): FrontendFrame => ({
  ...frame("transport_diagnostic", { status: "retrying", kind, reason, details }),
  tier: "debug",
});
const retry = (attempt: number, until: string, reason = "Overloaded.") =>
  diagnostic("provider_retry", reason, { code: "model_error", attempt, until });
const begun = () => frame("turn_start", { turn_id: "trn_1", input: "Hi" });
const ended = (status: string) => frame("turn_end", { turn_id: "trn_1", status });
const notices = (frames: readonly FrontendFrame[]) =>
  shown(timelineOf(frames)).flatMap((row) => (row.kind === "notice" ? [row] : []));

test("a model that is asked again says why, which try that was, and when it goes on", () => {
  const [row, ...others] = notices([begun(), retry(1, SOON)]);
  expect(row).toMatchObject({ tone: "warning", text: "Overloaded.", next: expect.stringContaining(SOON) });
  expect(row?.next).toContain("try 1");
  expect(others).toEqual([]);
});

test("the next try stands for the one before, also where it failed otherwise", () => {
  const rows = notices([begun(), retry(1, SOON), retry(2, LATER, "Gone.")]);
  expect(rows).toMatchObject([{ text: "Gone.", next: expect.stringContaining(LATER) }]);
});

test.each([
  ["text", () => frame("token", { text: "Here", step: 1 })],
  ["thoughts", () => frame("thinking", { text: "Hm", step: 1 })],
  ["calls alone", () => frame("response", { text: "", step: 1, tool_calls: [] })],
])("once it answers with %s it says no longer that it will be tried", (_, answer) => {
  const rows = notices([begun(), retry(1, SOON), answer()]);
  expect(rows).toMatchObject([{ tone: "calm", next: "It was tried again." }]);
});

test.each(["cancelled", "completed"])("a turn that is %s is asked about no more", (status) => {
  expect(notices([begun(), retry(1, SOON), ended(status)])).toEqual([]);
});

test("a turn that fails after all says so once", () => {
  const error = frame("error", { turn_id: "trn_1", error: "Overloaded.", code: "model_error" });
  const rows = notices([begun(), retry(1, SOON), retry(2, LATER), error, ended("failed")]);
  expect(rows).toMatchObject([{ tone: "bad", text: "Overloaded." }]);
});

test("where another model stands in, the first is asked no more", () => {
  const rows = notices([begun(), retry(1, SOON), diagnostic("provider_fallback", "Overloaded.", {})]);
  expect(rows).toEqual([]);
});

test("one of a newer writer, without details, is shown all the same", () => {
  const bare = frame("transport_diagnostic", { status: "retrying", kind: "provider_retry", reason: "So." });
  expect(notices([begun(), bare])).toMatchObject([{ title: "It failed.", text: "So." }]);
});
