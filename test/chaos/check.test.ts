import type { AnyEvent } from "@fairlead/contract";
import { describe, expect, it } from "vitest";
import { check, type Run } from "./check.ts";
import { endOf } from "./end.ts";
import type { WholeLog } from "./read-log.ts";

type Fact = readonly [type: string, data: Record<string, unknown>];

const STREAM = "ses_1";

function event([type, data]: Fact, i: number): AnyEvent {
  return { id: `evt_${i + 1}`, stream: STREAM, seq: i + 1, type, data } as never;
}

function logOf(facts: readonly Fact[], changes: Partial<WholeLog> = {}): WholeLog {
  const events = facts.map(event);
  const stream = { id: STREAM, kind: "chat", parent: null, base_seq: 0, head_seq: events.length };
  return { events, streams: [stream as never], broken: [], ...changes };
}

const start: Fact = ["agent.tool.start", { tool_call_id: "c1", name: "send", effect: "once" }];
const outcome: Fact = ["agent.tool.outcome", { tool_call_id: "c1", tool_name: "send", status: "ok" }];
const asked: Fact = ["runtime.question.asked", { request_id: "q1", tool_call_id: "c1", kind: "approval" }];
const decided: Fact = [
  "runtime.question.decided",
  { request_id: "q1", kind: "approval", tool_name: "send", decision: "approved" },
];
const over: Fact = ["runtime.turn.ended", { turn_id: "t1", status: "completed" }];
const SOUND: readonly Fact[] = [
  ["runtime.request.started", { turn_id: "t1" }],
  asked,
  ["runtime.turn.ended", { turn_id: "t1", status: "parked" }],
  decided,
  start,
  outcome,
  over,
  ["runtime.request.completed", { turn_id: "t1", output: "Done." }],
];
const deed = { tool: "send", tool_call_id: "c1", session_id: STREAM };
const sound: Run = { log: logOf(SOUND), deeds: [deed] };
const END = endOf(sound.log, sound.deeds);

/** What is found in a log of these facts, beside that its end is another. */
function found(facts: readonly Fact[], deeds: Run["deeds"] = [deed]): readonly string[] {
  const log = logOf(facts);
  return check({ log, deeds }, [log], endOf(log, deeds));
}

function without(fact: Fact): readonly Fact[] {
  return SOUND.filter((one) => one !== fact);
}

function verdict(said: string): Fact {
  return ["runtime.effect.verdict", { tool_call_id: "c1", verdict: said }];
}

/** A person is asked what became of the call, and says this. */
function lost(request_id: string, outcome: string, tool_call_id = "c1", decision = "approved"): Fact[] {
  return [
    [asked[0], { request_id, tool_call_id, kind: "user_input" }],
    [decided[0], { request_id, kind: "user_input", tool_name: "send", decision, answer: { outcome } }],
  ];
}

describe("the checker of a run that was killed", () => {
  it("finds nothing in a sound one", () => {
    expect(check(sound, [logOf(SOUND.slice(0, 3)), logOf(SOUND.slice(0, 6))], END)).toEqual([]);
  });

  it("finds what was lost, and what was changed", () => {
    const lost = logOf(SOUND.slice(0, 7));
    expect(check({ ...sound, log: lost }, [sound.log], endOf(lost, sound.deeds))).toEqual([
      "runtime.request.completed evt_8 is lost",
    ]);
    const other = logOf([
      ...SOUND.slice(0, 7),
      ["runtime.request.completed", { turn_id: "t1", output: "No." }],
    ]);
    expect(check({ ...sound, log: other }, [sound.log], endOf(other, sound.deeds))).toEqual([
      "runtime.request.completed evt_8 has changed",
    ]);
  });

  it("finds a broken chain, a gap and an id that is there twice", () => {
    const broken = [{ stream: STREAM, seq: 4, id: null, reason: "another hash" }] as never;
    expect(check({ ...sound, log: logOf(SOUND, { broken }) }, [sound.log], END)).toEqual([
      "ses_1: the chain is broken at 4: another hash",
    ]);
    const [first, ...rest] = sound.log.events as [AnyEvent, ...AnyEvent[]];
    const gap = { ...sound.log, events: [first, ...rest.map((one) => ({ ...one, seq: one.seq + 1 }))] };
    expect(check({ ...sound, log: gap }, [gap], END)).toContain("ses_1: 3 is where 2 goes");
    const twice = { ...sound.log, events: [first, ...rest.map((one) => ({ ...one, id: first.id }))] };
    expect(check({ ...sound, log: twice }, [twice], END)).toContain("the id evt_1 is there twice");
  });

  it("begins to count where a branch left its parent", () => {
    const branch = { id: STREAM, kind: "chat", parent: "ses_0", base_seq: 4, head_seq: 12 };
    const log = logOf(SOUND, { streams: [branch as never] });
    expect(check({ log, deeds: [deed] }, [log], endOf(log, [deed]))).toContain("ses_1: 1 is where 5 goes");
  });

  it("finds a call without an outcome, and one with two", () => {
    expect(found(without(outcome))).toEqual(["ses_1: c1 has no outcome"]);
    expect(found([...SOUND, outcome])).toEqual(["ses_1: c1 has two outcomes"]);
  });

  it("finds a turn that has not ended, and one that has twice", () => {
    expect(found(without(over))).toEqual(["ses_1: the turn t1 has ended 0 times"]);
    expect(found([...SOUND, over])).toEqual(["ses_1: the turn t1 has ended 2 times"]);
  });

  it("finds a question that is open, decided twice, asked twice, or decided unasked", () => {
    expect(found(without(decided))).toEqual(["ses_1: q1 is open"]);
    expect(found([...SOUND, decided])).toEqual(["ses_1: q1 is decided twice"]);
    expect(found(without(asked))).toEqual(["ses_1: q1 was never asked"]);
    const again: Fact = [asked[0], { ...asked[1], request_id: "q2" }];
    const answer: Fact = [decided[0], { ...decided[1], request_id: "q2" }];
    expect(found([...SOUND, again, answer])).toEqual([
      "ses_1: a person was asked about c1 (approval) 2 times",
    ]);
  });

  it("lets a person be asked what became of a call as often as a process died, and no more", () => {
    const lost: Fact = [asked[0], { ...asked[1], request_id: "q2", kind: "user_input" }];
    const again: Fact = [asked[0], { ...asked[1], request_id: "q3", kind: "user_input" }];
    const answers = ["q2", "q3"].map((request_id): Fact => [decided[0], { request_id, kind: "user_input" }]);
    const log = logOf([...SOUND, lost, again, ...answers]);
    const end = endOf(log, [deed]);
    expect(check({ log, deeds: [deed] }, [log, log], end)).toEqual([]);
    expect(check({ log, deeds: [deed] }, [log], end)).toEqual([
      "ses_1: a person was asked about c1 (user_input) 2 times",
    ]);
  });

  it("finds an effect that took place twice, unless a person wanted it", () => {
    const deeds = [deed, deed];
    expect(found(SOUND, deeds)).toEqual(["ses_1: c1 (once) ran 2 times, with leave for 1"]);
    for (const said of ["happened", "give_up", "ask", "safe", "rerun"])
      expect(found([...SOUND, verdict(said)], deeds)).toHaveLength(1);
    const wanted = [...SOUND, ...lost("q2", "run_again"), verdict("run_again")];
    expect(found(wanted, deeds)).toEqual([]);
    expect(found(wanted, [...deeds, deed])).toHaveLength(1);
  });

  it.each<[string, readonly Fact[]]>([
    ["nobody's", []],
    ["a yes to the call itself", [asked, decided]],
    ["another answer", lost("q2", "happened")],
    ["a no", lost("q2", "run_again", "c1", "denied")],
    ["a word about another call", lost("q2", "run_again", "c2")],
  ])("takes no verdict of the runtime's own for leave: with %s", (_, facts) => {
    const before = SOUND.filter((fact) => !facts.includes(fact));
    expect(found([...before, ...facts, verdict("run_again")], [deed, deed])).toEqual([
      "ses_1: c1 is to run again, and no person said so",
      "ses_1: c1 (once) ran 2 times, with leave for 1",
    ]);
  });

  it("takes each word of a person for one verdict after it", () => {
    const again = verdict("run_again");
    const word = lost("q2", "run_again");
    expect(found([...SOUND, ...word, again, again], [deed, deed, deed])).toEqual([
      "ses_1: c1 is to run again, and no person said so",
      "ses_1: c1 (once) ran 3 times, with leave for 2",
    ]);
    expect(found([...SOUND, again, ...word], [deed, deed])).toHaveLength(2);
  });

  it("finds what may be repeated and was without a word", () => {
    const put: Fact = [start[0], { ...start[1], effect: "idempotent" }];
    const facts = SOUND.map((fact) => (fact === start ? put : fact));
    expect(found(facts, [deed, deed])).toHaveLength(1);
    expect(found([...facts, verdict("rerun")], [deed, deed])).toEqual([]);
  });

  it("finds an effect that nobody decided on, or somebody decided against", () => {
    expect(found(SOUND, [{ ...deed, tool_call_id: "c2" }])).toEqual([
      "ses_1: c2 ran, and the log does not say so",
    ]);
    const denied: Fact = [outcome[0], { ...outcome[1], status: "denied" }];
    expect(found(SOUND.map((fact) => (fact === outcome ? denied : fact)))).toEqual([
      "ses_1: c1 ran, and was denied",
    ]);
  });

  it("finds another end: an outcome, an effect, a decision, a file, a session", () => {
    const failed: Fact = [outcome[0], { ...outcome[1], status: "error" }];
    const log = logOf(SOUND.map((fact) => (fact === outcome ? failed : fact)));
    expect(check({ ...sound, log }, [log], END)).toEqual([
      'the calls of session 1 are ["c1 send error"] and not ["c1 send ok"]',
    ]);
    expect(check({ ...sound, deeds: [] }, [sound.log], END)).toEqual([
      'the deeds of session 1 are [] and not ["c1 send"]',
    ]);
    const denied: Fact = [decided[0], { ...decided[1], decision: "denied" }];
    const other = logOf(SOUND.map((fact) => (fact === decided ? denied : fact)));
    expect(check({ ...sound, log: other }, [other], END)[0]).toMatch(/^the decisions of session 1/);
    const kept = endOf(sound.log, sound.deeds, { [STREAM]: ["a.txt 1"] });
    expect(check({ ...sound, files: { [STREAM]: ["a.txt 2"] } }, [sound.log], kept)).toEqual([
      'the files of session 1 are ["a.txt 2"] and not ["a.txt 1"]',
    ]);
    expect(check({ log: logOf([], { streams: [] }), deeds: [] }, [], END)).toEqual([
      "there are 0 sessions and not 1",
    ]);
  });
});
