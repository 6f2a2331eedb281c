import type { AnyEvent, EventData, EventType } from "@fairlead/contract";
import { describe, expect, it } from "vitest";
import type { StreamInfo } from "../ports/event-log.ts";
import { isBackgroundRow, type Wake, wakeProjection, wakeState } from "./wake.ts";

const STREAM = { id: "ses_1" } as unknown as StreamInfo;
const AT = "2026-01-01T00:00:00.000Z";
const LATER = "2026-01-01T01:00:00.000Z";
const EVEN_LATER = "2026-01-01T02:00:00.000Z";

type Line = { [T in EventType]: readonly [T, EventData<T>] }[EventType];

function wake(...lines: readonly Line[]): Wake {
  const events = lines.map(
    ([type, data]) => ({ type, data, at: AT, stream: "ses_1", v: 1 }) as unknown as AnyEvent,
  );
  const row = events.reduce<Wake | undefined>(
    (before, event) => wakeProjection.evolve(before, event, STREAM),
    undefined,
  );
  if (row === undefined) throw new Error("no row");
  return row;
}

const started = (input_id?: string): Line => [
  "runtime.request.started",
  { turn_id: "trn_1", input: "Go", ...(input_id === undefined ? {} : { input_id: input_id as never }) },
];
const resumed: Line = ["runtime.turn.resumed", { turn_id: "trn_1", attempt: 2, reason: "r" }];
const ended = (data: Partial<EventData<"runtime.turn.ended">>): Line => [
  "runtime.turn.ended",
  { turn_id: "trn_1", status: "completed", ...data },
];
const parked = (...waits: NonNullable<EventData<"runtime.turn.ended">["waits"]>): Line =>
  ended({ status: "parked", waits });
const question = (n: number) => ({ kind: "question" as const, request_id: `apr_${n}` as never });
const timer = (until: string) => ({ kind: "timer" as const, until, reason: "later" });
const decided = (n: number): Line => [
  "runtime.question.decided",
  {
    request_id: `apr_${n}` as never,
    kind: "approval",
    tool_name: "t",
    decision: "approved",
    actor: "ada",
    decided_at: AT,
  },
];
const child = (n: number) => ({
  kind: "session" as const,
  session_id: `ses_c${n}` as never,
  tool_call_id: `c${n}`,
});
const subagent = (n: number, status: string): Line => [
  "runtime.subagent.event",
  { agent_id: `a${n}`, status, parent_session_id: "ses_1", session_id: `ses_c${n}` },
];
const said = (id: string): Line => [
  "runtime.input.queued",
  { input_id: id as never, mode: "queue", input: "then", actor: "ada" },
];
const taken = (id: string): Line => ["runtime.input.taken", { input_id: id as never, turn_id: "trn_1" }];

describe("what a session has to go on with", () => {
  const CASES: readonly (readonly [string, readonly Line[], string])[] = [
    ["a turn that is driven", [started()], "running"],
    ["a turn that has ended", [started(), ended({})], "idle"],
    ["one that waits for a person", [started(), parked(question(1))], "waiting"],
    ["one that waits for a sub-agent", [started(), parked(child(1))], "waiting"],
    ["one whose sub-agent asks", [started(), parked(child(1)), subagent(1, "awaiting_approval")], "waiting"],
    ["one whose sub-agent has ended", [started(), parked(child(1)), subagent(1, "failed")], "ready"],
    [
      "one of whose two sub-agents has ended",
      [started(), parked(child(1), child(2)), subagent(2, "completed")],
      "waiting",
    ],
    [
      "one whose sub-agent was quicker than its own words",
      [started(), subagent(1, "completed"), parked(child(1))],
      "ready",
    ],
    [
      "one that waits for a time, whatever else ends",
      [
        started(),
        parked(timer(LATER)),
        ["runtime.subagent.event", { agent_id: "a", status: "completed", parent_session_id: "ses_1" }],
      ],
      "timer",
    ],
    [
      "one that waits for two, of whom one has decided",
      [started(), parked(question(1), question(2)), decided(1)],
      "waiting",
    ],
    ["one whose person has decided", [started(), parked(question(1)), decided(1)], "ready"],
    ["one whose person decided before it was parked", [started(), decided(1), parked(question(1))], "ready"],
    ["one that another decision is not about", [started(), parked(question(1)), decided(2)], "waiting"],
    ["one that its process let go of", [started(), parked()], "ready"],
    ["one that is gone on with", [started(), parked(question(1)), decided(1), resumed], "running"],
    ["one that waits for time", [started(), parked(timer(LATER))], "timer"],
    ["one that waits for time and a person", [started(), parked(timer(LATER), question(1))], "waiting"],
    [
      "one that somebody wants to end",
      [
        started(),
        parked(question(1)),
        ["runtime.turn.cancelling", { turn_id: "trn_1", actor: "ada", reason: "enough" }],
      ],
      "ready",
    ],
    ["a request behind a turn that runs", [started(), said("inp_1")], "running"],
    ["a request behind a turn that has ended", [started(), said("inp_1"), ended({})], "held"],
    ["a request whose turn has begun", [started(), said("inp_1"), ended({}), started("inp_1")], "running"],
    ["a request that was heard in between", [started(), said("inp_1"), taken("inp_1"), ended({})], "idle"],
  ];
  it.each(CASES)("%s", (_, lines, expected) => {
    expect(wakeState(wake(...lines))).toBe(expected);
  });

  it("is due when the last of its timers is over, and else when it happened", () => {
    expect(wake(started(), parked(timer(EVEN_LATER), timer(LATER))).at).toBe(Date.parse(EVEN_LATER));
    expect(wake(started(), parked(question(1))).at).toBe(Date.parse(AT));
  });

  it.each(["background", "subagent", "chat"])("says where the files of a %s session are", (kind) => {
    const data = { session_id: "ses_1", status: "running", kind, workspace_host: "box-1" } as never;
    const row = wake(started(), ["runtime.session.state", data]);
    expect(row.host).toBe("box-1");
    expect(isBackgroundRow(row)).toBe(kind === "background");
    const of = (given: object) =>
      wakeProjection.key({
        type: "runtime.session.state",
        stream: "ses_1",
        data: given,
      } as unknown as AnyEvent);
    expect(of(data)).toBe("ses_1");
    expect(of({ kind: "chat", status: "idle" })).toBeNull();
  });

  it("is about sessions alone", () => {
    const of = (stream: string) => wakeProjection.key({ stream } as AnyEvent);
    expect(of("ses_1")).toBe("ses_1");
    expect(of("prj_1")).toBeNull();
  });
});
