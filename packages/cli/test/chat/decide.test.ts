import type { QuestionRow } from "@fairlead/contract";
import { describe, expect, test } from "vitest";
import { askDecision } from "../../src/chat/decide.ts";
import { questionCard } from "../../src/chat/question-card.ts";
import type { Ui } from "../../src/chat/ui.ts";
import { shown } from "./support.ts";

const ROW = {
  request_id: "apr_1",
  session_id: "ses_1",
  kind: "approval",
  state: "pending",
  tool_name: "shell",
  reason: "It can change something.",
  asked_by: null,
  shown: { tool: "shell", arguments: { command: "git status -s" } },
  shown_hash: "abc",
  risk: "high",
  expires_at: null,
  asked_at: "2030-01-01T00:00:00.000Z",
  asked_seq: 1,
  decided_at: null,
  actor: null,
  note: null,
  pattern: "shell: git status*",
} as unknown as QuestionRow;

/** A person who gives these answers in turn; null puts the question away. What was offered to them is kept. */
function person(...answers: readonly (string | null)[]) {
  const left = [...answers];
  const printed: string[] = [];
  const offered: string[] = [];
  const next = (): string | undefined => {
    const answer = left.shift();
    if (answer === undefined) throw new Error("asked once too often");
    return answer ?? undefined;
  };
  const ui: Ui = {
    width: 80,
    print: (lines) => void printed.push(shown(lines)),
    async ask(label, initial = "") {
      offered.push(`${label}: ${initial}`);
      return next();
    },
    async pick(_title, options) {
      const label = next();
      return options.find((option) => option.label === label)?.value;
    },
    key: async () => next(),
  };
  return { ui, printed, offered, left };
}

const asked = (ui: Ui, row = ROW) => askDecision(ui, row, new AbortController().signal);

describe("a decision by keys", () => {
  test("is a yes to exactly what was shown", async () => {
    expect(await asked(person("y").ui)).toEqual({ decision: "approved", shown_hash: "abc" });
  });

  test("is a no, with or without words for the agent; who goes back is asked again", async () => {
    expect(await asked(person("n", "Use make.").ui)).toEqual({
      decision: "denied",
      note: "Use make.",
      shown_hash: "abc",
    });
    expect(await asked(person("n", " ").ui)).toEqual({ decision: "denied", shown_hash: "abc" });
    expect(await asked(person("n", null, "y").ui)).toMatchObject({ decision: "approved" });
  });

  test("is a yes to other arguments, once they are JSON and others", async () => {
    const { ui, printed, offered } = person("e", "{oops", '{"command":"git status"}');
    expect(await asked(ui)).toEqual({
      decision: "edited",
      edited: { command: "git status" },
      shown_hash: "abc",
    });
    expect(printed[0]).toContain("That is not JSON");
    expect(offered).toEqual(['Arguments as JSON: {"command":"git status -s"}', "Arguments as JSON: {oops"]);
    const same = person("e", '{ "command": "git status -s" }', null);
    expect(await asked(same.ui)).toBeUndefined();
    expect(same.printed[0]).toContain("nothing is decided");
  });

  test("comes from the person's own editor where there is one", async () => {
    const { ui } = person("e");
    const decision = await asked({ ...ui, external: async (text) => text.replace(" -s", "") });
    expect(decision).toMatchObject({ decision: "edited", edited: { command: "git status" } });
  });

  test("reaches as far as its scope, by a pattern that was seen and could be changed", async () => {
    const { ui, offered } = person("s", "this session", "shell: git *");
    expect(await asked(ui)).toEqual({
      decision: "approved",
      scope: { kind: "session", pattern: "shell: git *" },
      shown_hash: "abc",
    });
    expect(offered).toEqual(["Allow without asking: shell: git status*"]);
    expect(await asked(person("s", "this call").ui)).toEqual({ decision: "approved", shown_hash: "abc" });
    const empty = person("s", "a pattern", "  ", null);
    expect(await asked(empty.ui)).toBeUndefined();
    expect(empty.printed[0]).toContain("only this call");
  });

  test("shows all there is before it is asked again, and decides nothing when put away", async () => {
    const { ui, printed } = person("d", null);
    expect(await asked(ui)).toBeUndefined();
    expect(printed[0]).toContain("id: apr_1");
    expect(printed[0]).toContain("command: git status -s");
    const gone = new AbortController();
    gone.abort();
    expect(await askDecision(person(null).ui, ROW, gone.signal)).toBeUndefined();
  });
});

describe("an answer by keys", () => {
  const OPTIONS = [
    { outcome: "happened", label: "It happened" },
    { outcome: "run_again", label: "Run it again" },
    { outcome: "give_up" },
  ];
  const LOST = {
    ...ROW,
    kind: "user_input",
    shown: { tool: "shell", arguments: { command: "make deploy" }, options: OPTIONS },
  } as QuestionRow;

  test("is one of those that the question has, bound to what was shown", async () => {
    expect(await asked(person("a", "Run it again").ui, LOST)).toEqual({
      decision: "approved",
      answer: { outcome: "run_again" },
      shown_hash: "abc",
    });
    expect(await asked(person("a", "give_up").ui, LOST)).toMatchObject({ answer: { outcome: "give_up" } });
  });

  test("is never a bare yes, and who goes back is asked again", async () => {
    const offered: string[][] = [];
    const { ui, printed } = person("d", "a", null, null);
    const watched: Ui = {
      ...ui,
      key(question, signal) {
        offered.push(question.keys.map(([key]) => key));
        return ui.key(question, signal);
      },
    };
    expect(await asked(watched, LOST)).toBeUndefined();
    expect(offered).toEqual([
      ["a", "d"],
      ["a", "d"],
      ["a", "d"],
    ]);
    expect(printed[0]).toContain("command: make deploy");
  });

  test("is text or JSON where there are none, and can be a no", async () => {
    const open = { ...LOST, shown: null } as QuestionRow;
    expect(await asked(person("a", "blue").ui, open)).toMatchObject({ decision: "approved", answer: "blue" });
    expect(await asked(person("a", '{"n":1}').ui, open)).toMatchObject({ answer: { n: 1 } });
    expect(await asked(person("a", " ", "n", "Ask later.").ui, open)).toMatchObject({
      decision: "denied",
      note: "Ask later.",
    });
  });
});

describe("what is shown of a question", () => {
  test("is reason, risk and the diff, or the arguments with their own line breaks", () => {
    expect(shown(questionCard(ROW, 60))).toBe(
      "◆ shell asks for a yes · risk high\n  It can change something.\n▏ command: git status -s",
    );
    const script = {
      ...ROW,
      shown: { arguments: { command: "set -e\nrm -rf build\u001b[2K" } },
    } as QuestionRow;
    expect(shown(questionCard(script, 60))).toContain("▏ command: set -e\n▏   rm -rf build\ufffd[2K");
    const diff = { ...ROW, shown: { diff: "--- a/x\n+++ b/x\n@@ -1 +1 @@\n-old\n+new\n" } } as QuestionRow;
    expect(shown(questionCard(diff, 60))).toMatch(/▏ @@ -1 \+1 @@\n▏ -old\n▏ \+new$/);
  });

  test("says that there is more where it is long", () => {
    const long = { ...ROW, shown: { diff: `@@ -0,0 +1,200 @@\n${"+line\n".repeat(200)}` } } as QuestionRow;
    expect(shown(questionCard(long, 60))).toMatch(
      /… 1\d\d more lines: press d to see them before you decide\.$/,
    );
  });
});
