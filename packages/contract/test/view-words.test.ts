import { describe, expect, test } from "vitest";
import {
  checksInWords,
  citationsInWords,
  cognitionInWords,
  enforcementInWords,
  guardrailLine,
  guardrailsInWords,
  packInWords,
  policyTitle,
  timelineOf,
  verdictInWords,
} from "../src/view/index.ts";
import { frame } from "./support/frame.ts";

/** What no person should have to read. */
const RAW = /[{}[\]"_]|undefined|null|NaN|\[object/;

describe("a context pack", () => {
  const pack = { files: 2, chunks: 3, tokens: 1234, truncated: true, indexed_files: 312, complete: false };

  test("says how much was found, in what, and what is missing", () => {
    expect(packInWords(pack)).toEqual([
      "3 passages of 2 files, about 1,234 tokens.",
      "312 files were searched.",
      "More would have fitted the question than there was room for.",
      "Not all files are in the index.",
    ]);
  });

  test("that could not be made says why", () => {
    expect(packInWords({ error: "It took too long.", source: "auto" })).toEqual([
      "Nothing could be looked up: It took too long.",
    ]);
  });

  test.each([undefined, null, {}, [], "odd", { files: "two", chunks: null }])("of %j says nothing", (odd) => {
    expect(packInWords(odd)).toEqual([]);
  });
});

test("a citation says where it is, however it was written", () => {
  expect(
    citationsInWords([
      { path: "a.md", lines: [3, 18], score: 1, method: "bm25", text: "Words" },
      { title: "How we release", url: "https://example.org", line: 4 },
      { path: "b.md", start_line: 2, end_line: 2 },
      {},
    ]),
  ).toEqual([
    { label: "a.md", lines: "lines 3–18", text: "Words" },
    { label: "How we release", lines: "line 4", text: null },
    { label: "b.md", lines: "line 2", text: null },
    { label: "A source without a name", lines: null, text: null },
  ]);
  expect(citationsInWords("odd")).toEqual([]);
});

describe("guardrails", () => {
  test("say what they did, and that the others did nothing", () => {
    const counted = [
      { name: "denied_calls", count: 1 },
      { name: "asked_of_people", count: 2 },
      { name: "blocked_by_hooks", count: 0 },
    ];
    expect(guardrailsInWords(counted)).toEqual([
      "1 call was denied.",
      "2 questions were asked of people.",
      "1 more did not step in.",
    ]);
    expect(guardrailLine([{ name: "escalated", count: 0 }], "calm")).toBe("None had to step in.");
    expect(guardrailLine(undefined, "denied_calls 1")).toBe("denied calls 1");
  });

  test("of another agent are said as far as they can be", () => {
    expect(guardrailsInWords([{ name: "pii_filter", status: "not_run", reason: "off" }, {}])).toEqual([
      "pii filter: not run, off.",
      "A guardrail without a name.",
    ]);
  });
});

test("what a turn perceived, remembered, decided and used is in sentences", () => {
  const details = {
    perceived: { input_chars: 49, heard_meanwhile: 1, injected: [], intent: { intent: "edit" } },
    remembered: { retrievals: 1, citations: 3, cited: [], facts: [{ source: "memory", subject: "style" }] },
    decided: {
      policy: {},
      tools: { shell: { ok: 1, error: 1 } },
      approvals: [{ tool: "shell", decision: "approved", by: "ada" }],
    },
    identity: { agent: "fairlead", actor: "ada", model: "m", permission_mode: "accept_edits", depth: 0 },
    limits: { steps: 50, tokens: null, cost_usd: 1, session: { tokens: 10 } },
    spent: { steps: 3, tokens: 1280, cost_usd: 0, session: { tokens: 1280 } },
  };
  const parts = cognitionInWords(details);
  expect(parts).toEqual([
    ["Perceived", "49 characters of request, 1 thing said meanwhile, taken to mean: edit."],
    ["Remembered", "1 look-up, 3 sources, told more by memory."],
    ["Decided", "shell 1 ok and 1 error, ada approved shell."],
    ["Worked as", "fairlead, for ada, with m, may: accept edits."],
    ["Used", "3 steps of at most 50, 1,280 tokens, $0 of at most $1."],
  ]);
  for (const [, said] of parts) expect(said).not.toMatch(RAW);
  expect(cognitionInWords(undefined)).toEqual([["Decided", "No tool was called."]]);
});

test("a check says what, how it went and what shows it", () => {
  const evidence = [{ kind: "tool_call", summary: "c2" }];
  expect(
    checksInWords([{ id: "x", subject: "It builds", status: "failed", message: "It did not.", evidence }]),
  ).toEqual([{ subject: "It builds", status: "failed", message: "It did not.", evidence: ["tool call c2"] }]);
  expect(checksInWords([{ name: "odd", evidence: "a log" }])).toMatchObject([
    { subject: "odd", status: "not said", evidence: ["a log"] },
  ]);
  const [row] = timelineOf([
    frame("verification", {
      status: "needs_review",
      checks: [{ id: "x", subject: "It builds", status: "needs_review", message: "Changed since." }],
      residual_risks: ["Not proven: It builds", "Nobody looked at the docs."],
    }),
  ]);
  expect(row).toMatchObject({
    title: "Verification: needs review",
    text: "It builds: needs review. Changed since.\nStill open: Nobody looked at the docs.",
  });
});

test("what a policy enforced, decided and found is in words, also a newer one's", () => {
  expect(enforcementInWords({ action: "pause", reason: "3 calls failed.", outcome: "open" })).toBe(
    "The session was paused: 3 calls failed. Nobody has decided yet.",
  );
  expect(enforcementInWords({ action: "throttle_it", outcome: "half_done" })).toBe("throttle it. half done.");
  expect(enforcementInWords({})).toBeNull();
  expect(policyTitle({ subject: "pre_action", outcome: "block" })).toBe("Blocked: an action");
  expect(policyTitle({ subject: "new_thing", outcome: "set_aside" })).toBe(
    "Policy says set aside: new thing",
  );
  expect(verdictInWords("give_up")).toBe("given up on a person's word");
  expect(verdictInWords("of_tomorrow")).toBe("of tomorrow");
});
