import type { NewEvent } from "@fairlead/contract";
import { describe, expect, test } from "vitest";
import {
  count,
  historyOf,
  newTally,
  restoredTally,
  statsOf,
  TALLIED,
  underWay,
  usedBy,
} from "../../src/domain/supervision/tally.ts";
import { askedRecord, answeredRecord } from "../../src/services/supervision/records.ts";
import { call, counted, ended, own, started } from "./support.ts";

const usage = (total_tokens: number, cost_usd: number): NewEvent => ({
  type: "agent.usage",
  data: { input_tokens: total_tokens, output_tokens: 0, total_tokens, cost_usd },
});
const decided = (tool: string, outcome: string, cause?: string): NewEvent => ({
  type: "runtime.policy.decision",
  ...(cause === undefined ? {} : { cause }),
  data: { subject: "pre_action", outcome, reason: "", source: "x", tool_name: tool, tool_call_id: tool },
});

/** The same work, as a foreign agent tells of it. */
function foreign(): NewEvent[] {
  const event = (payload: unknown) => ({
    event_type: "pre_action" as const,
    session_id: "s",
    agent_id: "a",
    timestamp: "",
    depth: 0,
    payload,
  });
  const judged = (tool: string, decision: string): NewEvent[] => [
    askedRecord("sup_1", event(call(tool)), 1),
    decided(tool, decision, "sup_1"),
    answeredRecord(
      { event: event(call(tool)), supervision_id: "sup_1" },
      { decision: { decision }, source: "rules", by: "x" },
      1,
    ),
  ];
  const told = (type: string, payload: unknown): NewEvent => ({
    type: "runtime.adapter.event",
    data: { event: { adapter: "ahp", phase: `ahp.${type}`, payload } },
  });
  return [
    ...judged("ls", "allow"),
    told("post_action", { status: "ok" }),
    ...judged("rm", "block"),
    told("post_action", { status: "denied" }),
    told("post_response", { usage: { total_tokens: 70, cost_usd: 0.5 } }),
    ...judged("sh", "modify"),
    told("post_action", { status: "error" }),
    told("error", {}),
  ];
}

function ours(): NewEvent[] {
  return [
    decided("ls", "allow"),
    started("ls"),
    ended("ls", "ok"),
    decided("rm", "block"),
    ended("rm", "denied"),
    usage(70, 0.5),
    { type: "agent.output.completed", data: { text: "" } },
    decided("sh", "modify"),
    started("sh"),
    ended("sh", "error"),
  ];
}

describe("counts of a run of our own", () => {
  test("are those of a foreign agent that did the same", () => {
    const [a, b] = [counted(newTally(), ...foreign()), counted(newTally(), ...ours())];
    expect(statsOf(b, 9)).toEqual(statsOf(a, 9));
    expect(usedBy(b, 9)).toEqual(usedBy(a, 9));
    expect(historyOf(b)).toEqual(historyOf(a));
    expect(usedBy(b, 9)).toMatchObject({ actions: 2, tokens: 70, cost_usd: 0.5 });
  });

  test("come out the same when the log is read again, event types left out that do not count", async () => {
    const { judge, run } = own({ rules: "rules: []" });
    const log: NewEvent[] = [];
    const live = (...events: NewEvent[]) => {
      log.push(...events);
      counted(run.tally, ...events);
    };
    live({ type: "runtime.request.started", data: { turn_id: "t", input: "x" } });
    live(...(await judge("pre_prompt", { prompt: "x" })).records, usage(5, 0.1));
    for (const id of ["a", "b", "c"]) live(...(await judge("pre_action", call("sh", {}, id))).records);
    live(started("a"), ended("a", "timeout"), ended("b", "denied"));
    live({ type: "runtime.request.failed", data: { turn_id: "t", error: "x", code: "internal" } });
    const again = counted(newTally(), ...log.filter(({ type }) => TALLIED.includes(type)));
    expect(again).toEqual(run.tally);
    expect(again).toMatchObject({ actions: 1, errors: 2 });
    expect(underWay(again)).toBe(1);
  });

  test("survive JSON, whatever tools are called", () => {
    const names = ["constructor", "__proto__", "toString"];
    const tally = counted(newTally(), ...names.map((name) => decided(name, "allow")));
    const back = restoredTally(JSON.parse(JSON.stringify({ ...tally, claimed: 7 })));
    for (const name of ["constructor", "toString"]) expect(back.tools[name]).toBe(1);
    expect(back.claimed).toBe(0);
    counted(back, decided("constructor", "allow"), decided("valueOf", "block"));
    expect([back.tools["constructor"], back.tools["valueOf"]]).toEqual([2, 1]);
  });

  test("a call that begins again after a crash is one action, and one that a person allowed counts as allowed", () => {
    const tally = counted(newTally(), decided("sh", "escalate"), started("sh"), {
      type: "agent.tool.start",
      data: { name: "sh", arguments: {}, tool_call_id: "sh", attempt: 2 },
    });
    expect(tally).toMatchObject({ actions: 1, decisions: { escalate: 1, allow: 1 } });
    counted(tally, decided("rm", "escalate"), ended("rm", "denied"));
    expect(tally.decisions).toMatchObject({ escalate: 2, block: 1 });
  });

  test("calls that a turn left behind count no more once it is over, and do while it is parked", () => {
    const over = (status: "parked" | "cancelled"): NewEvent => ({
      type: "runtime.turn.ended",
      data: { turn_id: "t", status },
    });
    const tally = counted(newTally(), decided("sh", "allow"), decided("rm", "escalate"), over("parked"));
    expect(underWay(tally)).toBe(1);
    expect(underWay(counted(tally, over("cancelled")))).toBe(0);
    expect(tally.calls).toEqual({});
  });

  test("decisions about modes are no questions", () => {
    const tally = newTally();
    count(
      tally,
      {
        type: "runtime.policy.decision",
        data: { subject: "turn_runtime", outcome: "configured", reason: "", source: "" },
      },
      0,
    );
    expect(tally.events).toEqual({});
    expect(tally.decisions).toEqual({});
  });
});
