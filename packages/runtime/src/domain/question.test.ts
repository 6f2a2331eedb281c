import { type AnyEvent, EVENTS, QUESTION_STATES } from "@fairlead/contract";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { StreamInfo } from "../ports/event-log.ts";
import { canonicalJson, isShallow } from "./canonical.ts";
import { QUESTION_TABLE, decideQuestion, expireQuestion } from "./question-decide.ts";
import { type StoredQuestion, isDue, questionProjection, shownHash } from "./question.ts";

const AT = "2026-01-01T00:00:00.000Z";
const STREAM = { id: "ses_1" } as unknown as StreamInfo;

function event(type: string, data: unknown, seq: number): AnyEvent {
  return {
    id: `evt_${seq}`,
    seq,
    stream: "ses_1",
    at: AT,
    type,
    v: 1,
    turn_id: "trn_1",
    agent_id: null,
    cause: null,
    owner: "runtime",
    data,
  } as AnyEvent;
}

function asked(extra: object = {}): StoredQuestion {
  const data = {
    request_id: "apr_1",
    kind: "approval",
    tool_name: "rm",
    reason: "why not",
    shown: { path: "/x" },
    shown_hash: shownHash({ path: "/x" }),
    ...extra,
  };
  return questionProjection.evolve(
    undefined,
    event("runtime.question.asked", data, 1),
    STREAM,
  ) as StoredQuestion;
}

/** Asked about a call whose process was lost. */
const LOST = { kind: "user_input", origin: "recovery" } as const;

describe("a question", () => {
  it("has an outcome for every command in every state", () => {
    expect(Object.keys(QUESTION_TABLE)).toEqual([...QUESTION_STATES]);
    for (const state of QUESTION_STATES) {
      const decided = state === "approved" || state === "denied" || state === "edited";
      expect(QUESTION_TABLE[state]).toEqual({
        decide: state === "pending" ? "record" : decided ? "question_decided" : "question_expired",
        expire: state === "pending" ? "record" : "keep",
      });
    }
  });

  it("is decided exactly once under any commands, and shows the first decision ever after", () => {
    const command = fc.constantFrom("approved", "denied", "edited", "expire");
    fc.assert(
      fc.property(fc.array(command, { minLength: 1, maxLength: 12 }), (commands) => {
        let row = asked();
        let seq = 1;
        const recorded: string[] = [];
        for (const given of commands) {
          const verdict =
            given === "expire"
              ? expireQuestion(row, "clock", AT)
              : decideQuestion(row, "ada", AT, {
                  decision: given as "approved",
                  ...(given === "edited" ? { edited: { path: "/y" } } : {}),
                });
          if (verdict.kind === "record") {
            expect(EVENTS["runtime.question.decided"].data.safeParse(verdict.event.data).success).toBe(true);
            recorded.push((verdict.event.data as { decision: string }).decision);
            row = questionProjection.evolve(
              row,
              event(verdict.event.type, verdict.event.data, ++seq),
              STREAM,
            ) as StoredQuestion;
          }
          if (verdict.kind === "refuse")
            expect(verdict.refusal.details).toMatchObject({ decision: row.state, actor: row.actor });
        }
        expect(recorded).toEqual([commands[0] === "expire" ? "expired" : commands[0]]);
        expect(row.state).toBe(recorded[0]);
      }),
    );
  });

  it("keeps the first decision even against a second one in the log", () => {
    const decided = (decision: string, seq: number) =>
      event(
        "runtime.question.decided",
        { request_id: "apr_1", kind: "approval", tool_name: "rm", decision, actor: "ada", decided_at: AT },
        seq,
      );
    const first = questionProjection.evolve(asked(), decided("denied", 2), STREAM);
    expect(questionProjection.evolve(first, decided("approved", 3), STREAM)).toEqual(first);
  });

  it.each([
    ["edited without saying how", {}, { decision: "edited" }, "bad_request"],
    ["approved with an edit", {}, { decision: "approved", edited: 1 }, "bad_request"],
    ["an approval with an answer", {}, { decision: "approved", answer: "yes" }, "bad_request"],
    ["an input without an answer", { kind: "user_input" }, { decision: "approved" }, "bad_request"],
    [
      "a denied input with an answer",
      { kind: "user_input" },
      { decision: "denied", answer: 1 },
      "bad_request",
    ],
    [
      "something else than what is shown",
      {},
      { decision: "approved", shown_hash: shownHash({ path: "/etc" }) },
      "question_changed",
    ],
  ] as const)("refuses %s", (_, extra, decision, code) => {
    const verdict = decideQuestion(asked(extra), "ada", AT, decision);
    expect(verdict.kind === "refuse" && verdict.refusal.code).toBe(code);
  });

  it.each([
    ["edited limit", { origin: "health" }, { decision: "edited", edited: { max_cost_usd: 9 } }],
    ["edited outcome", LOST, { decision: "edited", edited: "happened" }],
    ["outcome that is none", LOST, { decision: "approved", answer: "nonsense" }],
    ["outcome of another form", LOST, { decision: "approved", answer: { result: "happened" } }],
    ["outcome that is nothing", LOST, { decision: "approved", answer: null }],
  ] as const)("refuses an %s: it is no word that was offered", (_, extra, decision) => {
    const verdict = decideQuestion(asked(extra), "ada", AT, decision);
    expect(verdict.kind === "refuse" && verdict.refusal.code).toBe("bad_request");
  });

  it.each(["happened", "It happened", " it HAPPENED ", { outcome: "happened" }, { outcome: "It happened" }])(
    "takes %j for the option that it names",
    (answer) => {
      const verdict = decideQuestion(asked(LOST), "ada", AT, { decision: "approved", answer });
      expect(verdict).toMatchObject({ kind: "record", event: { data: { answer: { outcome: "happened" } } } });
    },
  );

  it("takes a plain no to what was offered", () => {
    const no = { decision: "denied" } as const;
    expect(decideQuestion(asked(LOST), "ada", AT, no).kind).toBe("record");
    expect(decideQuestion(asked({ origin: "health" }), "ada", AT, no).kind).toBe("record");
  });

  it("takes answers to what asks for them, and a decision bound to what is shown", () => {
    expect(
      decideQuestion(asked({ kind: "user_input" }), "ada", AT, { decision: "approved", answer: null }).kind,
    ).toBe("record");
    expect(
      decideQuestion(asked(), "ada", AT, { decision: "approved", shown_hash: shownHash({ path: "/x" }) })
        .kind,
    ).toBe("record");
  });

  it("is due from its time on, while it is pending", () => {
    const row = asked({ expires_at: AT });
    expect(isDue(row, Date.parse(AT) - 1)).toBe(false);
    expect(isDue(row, Date.parse(AT))).toBe(true);
    expect(isDue({ ...row, state: "denied" }, Date.parse(AT))).toBe(false);
    expect(isDue(asked(), Number.MAX_SAFE_INTEGER)).toBe(false);
  });
});

describe("canonical JSON", () => {
  it("is the same for the same value, however its keys are ordered, and is JSON", () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        const text = canonicalJson(value);
        const reversed = JSON.parse(JSON.stringify(value), (_, item: unknown) =>
          item !== null && typeof item === "object" && !Array.isArray(item)
            ? Object.fromEntries(Object.entries(item).toReversed())
            : item,
        ) as unknown;
        expect(JSON.parse(text)).toEqual(JSON.parse(JSON.stringify(value)));
        expect(canonicalJson(reversed)).toBe(text);
      }),
    );
  });

  it("tells values apart", () => {
    expect(shownHash({ a: 1 })).not.toBe(shownHash({ a: "1" }));
    expect(shownHash([1, 2])).not.toBe(shownHash([2, 1]));
    expect(shownHash({ a: undefined })).toBe(shownHash({}));
  });

  it("knows what nests too deep without walking it", () => {
    let deep: unknown = 1;
    for (let i = 0; i < 100_000; i++) deep = [deep];
    expect(isShallow(deep)).toBe(false);
    expect(isShallow({ a: [{ b: [1, 2, { c: null }] }] })).toBe(true);
  });
});
