import { describe, expect, it } from "vitest";
import { type Chronicle, type Seen, violations } from "./check.ts";

const SESSION = "ses_a";
const CALL = { tool_call_id: "c1", tool_name: "send", effect: "once" };
const QUESTION = { request_id: "q1", tool_call_id: "c1", kind: "user_input" };

const DEED = { tool: "send", session_id: SESSION, tool_call_id: "c1" };

type Line = readonly [type: string, data?: Readonly<Record<string, unknown>>, more?: Partial<Seen>];

/** Taken up by p1, lost, and gone on with by p2, which asks what happened. */
const GOOD: readonly Line[] = [
  ["runtime.session.state", { status: "queued" }, { epoch: 0, by: "p3" }],
  ["runtime.request.started", { turn_id: "t1" }],
  ["agent.tool.start", CALL],
  ["agent.tool.batch", { tool_call_ids: ["c1"] }],
  ["runtime.turn.resumed", {}, { epoch: 2, by: "p2" }],
  ["runtime.effect.verdict", { ...CALL, verdict: "ask" }, { epoch: 2, by: "p2" }],
  ["runtime.question.asked", QUESTION, { epoch: 2, by: "p2" }],
  ["runtime.question.decided", { ...QUESTION, answer: { outcome: "happened" } }, { epoch: 2, by: "p1" }],
  ["agent.tool.outcome", { ...CALL, status: "ok" }, { epoch: 2, by: "p2" }],
  ["runtime.turn.ended", { turn_id: "t1", status: "completed" }, { epoch: 2, by: "p2" }],
  ["runtime.request.completed", {}, { epoch: 2, by: "p2" }],
  ["runtime.session.state", { status: "completed" }, { epoch: 2, by: "p2" }],
];

function chronicle(lines: readonly Line[], change: Partial<Chronicle> = {}): Chronicle {
  return {
    events: lines.map(([type, data = {}, more = {}], i) => ({
      stream: SESSION,
      seq: i + 1,
      id: `evt_${i}`,
      type,
      data,
      epoch: 1,
      by: "p1",
      ...more,
    })) as unknown as readonly Seen[],
    leases: [
      { stream: SESSION, epoch: 1, by: "p1" },
      { stream: SESSION, epoch: 2, by: "p2" },
    ],
    deeds: [DEED],
    ...change,
  };
}

/** The good log with one line otherwise: in its place, left out, or with more after it. */
function otherwise(type: string, ...instead: readonly Line[]): Chronicle {
  const at = GOOD.findLastIndex(([name]) => name === type);
  return chronicle(GOOD.toSpliced(at, 1, ...instead));
}

const BY_P2 = { epoch: 2, by: "p2" };
const TWICE = [DEED, DEED];

describe("the checker of a cluster's log", () => {
  it("finds nothing in a log in which all is well", () => {
    expect(violations(chronicle(GOOD))).toEqual([]);
  });

  it("takes a second effect for what a person said", () => {
    const said = { ...QUESTION, decision: "approved", answer: { outcome: "run_again" } };
    const verdict = { ...CALL, verdict: "run_again" };
    const { events } = otherwise(
      "runtime.question.decided",
      ["runtime.question.decided", said, BY_P2],
      ["runtime.effect.verdict", verdict, BY_P2],
    );
    expect(violations({ ...chronicle(GOOD), events, deeds: TWICE })).toEqual([]);
  });

  it.each<[string, Chronicle, RegExp]>([
    [
      "a gap",
      otherwise("runtime.effect.verdict", ["runtime.effect.verdict", {}, { ...BY_P2, seq: 7 }]),
      /7 is where 6 goes/,
    ],
    [
      "an event twice",
      otherwise("agent.tool.start", ["agent.tool.start", CALL, { id: "evt_1" }]),
      /there twice/,
    ],
    [
      "a process that writes after it lost the lease",
      otherwise("agent.tool.outcome", [
        "agent.tool.outcome",
        { ...CALL, status: "ok" },
        { epoch: 2, by: "p1" },
      ]),
      /by p1, while p2 drove it/,
    ],
    [
      "an event of an epoch that is over",
      otherwise("runtime.request.completed", ["runtime.request.completed", {}, { epoch: 1, by: "p1" }]),
      /older epoch/,
    ],
    [
      "a driver without a lease",
      chronicle(GOOD, { leases: [{ stream: SESSION, epoch: 2, by: "p2" }] }),
      /while nobody/,
    ],
    [
      "an epoch that is given out twice",
      chronicle(GOOD, {
        leases: [
          { stream: SESSION, epoch: 2, by: "p2" },
          { stream: SESSION, epoch: 1, by: "p1" },
        ],
      }),
      /late or twice/,
    ],
    [
      "a session that does not end",
      otherwise("runtime.session.state", ["runtime.session.state", { status: "running" }, BY_P2]),
      /is running/,
    ],
    ["a question that nobody decided", otherwise("runtime.question.decided"), /q1 is open/],
    [
      "a question decided twice",
      otherwise(
        "runtime.question.decided",
        ["runtime.question.decided", QUESTION, BY_P2],
        ["runtime.question.decided", QUESTION, BY_P2],
      ),
      /decided twice/,
    ],
    ["a call without an outcome", otherwise("agent.tool.outcome"), /no outcome/],
    ["an effect twice, in silence", chronicle(GOOD, { deeds: TWICE }), /ran 2 times/],
    ["an effect of a call that never began", otherwise("agent.tool.batch"), /c1 never began/],
    [
      "a second effect that no person spoke of",
      otherwise("runtime.effect.verdict", [
        "runtime.effect.verdict",
        { ...CALL, verdict: "run_again" },
        BY_P2,
      ]),
      /c1 is to run again, and no person said so/,
    ],
    ["an effect that is only said", chronicle(GOOD, { deeds: [] }), /nothing happened/],
  ])("finds %s", (_, bad, what) => {
    expect(violations(bad).join("\n")).toMatch(what);
  });
});
