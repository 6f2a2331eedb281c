import { expect, test } from "vitest";
import { auditInWords } from "../src/view/index.ts";

const line = (kind: string, summary: string, ref?: string) => {
  const { title, text } = auditInWords({ at: "2026-01-01T00:00:00.000Z", kind, summary, ref });
  return `${title}. ${text}`;
};

test("what a policy did is said in words, and not by the name of the action", () => {
  expect(line("enforced", "approval_request: It has used 1 of 1 tokens.")).toBe(
    "A limit was reached. A person was asked: It has used 1 of 1 tokens.",
  );
  expect(line("enforced", "pause: So: it waits.")).toBe(
    "A limit was reached. The session was paused: So: it waits.",
  );
});

test("who decided what, and how, is a sentence", () => {
  expect(line("decided", "ada lovelace approved shell")).toBe("Decided. ada lovelace said yes to shell");
  expect(line("decided", "ada denied shell")).toBe("Decided. ada said no to shell");
  expect(line("decided", "ada edited shell")).toContain("with changes");
  expect(line("decided", "fairlead expired shell")).toContain("no answer");
  expect(line("decided", "ada moved health")).toBe(
    "Decided. ada withdrew what health asked: it holds no more",
  );
  expect(line("decided", "ada toString shell")).toBe("Decided. ada toString shell");
});

test("verdicts, stand-ins and blocks have no raw words either", () => {
  expect(line("verdict", "shell: run_again. It was lost.")).toContain(
    "shell: run again on a person's word. It",
  );
  expect(line("degraded", "model_fallback: out")).toBe("Another provider stood in. model fallback: out");
  expect(line("blocked", "tool_call: no")).toBe("Blocked. tool call: no");
  expect(line("contract", "npm test: never ran")).toBe("Not proven. npm test: never ran");
});

test("a question is led to, a call is named, and a kind of a newer writer is shown as it is called", () => {
  expect(auditInWords({ kind: "asked", summary: "s", ref: "apr_1" })).toMatchObject({
    question: "apr_1",
    rest: {},
  });
  expect(auditInWords({ kind: "denied", summary: "s", ref: "call_1" })).toMatchObject({
    question: null,
    rest: { call: "call_1" },
  });
  expect(auditInWords({ kind: "quite_new", summary: 7, more: 1 })).toEqual({
    at: null,
    title: "quite new",
    text: "",
    question: null,
    rest: { more: 1 },
  });
  expect(auditInWords({ kind: "toString", summary: "s" })).toMatchObject({ title: "toString", text: "s" });
});
