import fc from "fast-check";
import { APPROVAL_MODES, type NewEvent, PERMISSION_MODES } from "@fairlead/contract";
import { describe, expect, it } from "vitest";
import { permitOf } from "../approval/mode.ts";
import type { Modes } from "../approval/types.ts";
import { newLoopState } from "../loop/state.ts";
import { modesOfChild, narrowest, toolsOfChild } from "./narrow.ts";
import { readOrder } from "./order.ts";
import { leftOf, share } from "./share.ts";
import { marked, surfaced } from "./surface.ts";

const modes: fc.Arbitrary<Modes> = fc.record({
  permission_mode: fc.constantFrom(...PERMISSION_MODES),
  approval_mode: fc.constantFrom(...APPROVAL_MODES),
});

describe("the modes of a sub-agent", () => {
  const tools = [
    { access: "read" },
    { access: "read", kind: "network" },
    { access: "write", kind: "file_edit" },
    { access: "write" },
  ].map((tool) => ({ ...tool, spec: { name: "t", description: "", parameters: {} } }) as never);
  const runs = (of: Modes) => tools.filter((tool) => permitOf(of, tool).kind === "run").length;

  it("let nothing pass that the session above does not, whatever is asked for", () => {
    fc.assert(
      fc.property(
        modes,
        fc.option(fc.constantFrom(...PERMISSION_MODES), { nil: undefined }),
        (own, asked) => {
          const child = modesOfChild(own, asked);
          for (const tool of tools)
            if (permitOf(child, tool).kind === "run") expect(permitOf(own, tool).kind).toBe("run");
          expect(runs(narrowest(child, own))).toBeLessThanOrEqual(runs(own));
        },
      ),
    );
  });
});

describe("the tools of a sub-agent", () => {
  it("are those of the session above, or some of them", () => {
    expect(toolsOfChild(["a", "b"], false, undefined)).toEqual({ ok: true, tools: undefined });
    expect(toolsOfChild(["a", "b"], true, undefined)).toEqual({ ok: true, tools: ["a", "b"] });
    expect(toolsOfChild(["a", "b"], false, ["b", "b"])).toEqual({ ok: true, tools: ["b"] });
    expect(toolsOfChild(["a", "b"], false, [])).toEqual({ ok: true, tools: [] });
    expect(toolsOfChild(["a"], false, ["a", "c"])).toEqual({ ok: false, unknown: ["c"] });
  });
});

describe("what is left", () => {
  it("is never given away twice, and nobody gets more than they ask for", () => {
    const amount = fc.option(fc.integer({ min: 1, max: 1_000 }), { nil: undefined });
    fc.assert(
      fc.property(
        fc.integer({ min: 0, max: 1_000 }),
        fc.array(amount),
        fc.boolean(),
        (left, asked, whole) => {
          const given = share(left, asked, whole);
          const sum = given.reduce<number>((all, one) => all + (one ?? Infinity), 0);
          expect(sum).toBeLessThanOrEqual(left + 1e-9);
          for (const [i, one] of given.entries()) {
            expect(one).toBeLessThanOrEqual(asked[i] ?? Infinity);
            if (whole) expect(Number.isInteger(one)).toBe(true);
          }
        },
      ),
    );
  });

  it("is as much as is asked for where nothing is limited", () => {
    expect(share(undefined, [5, undefined], true)).toEqual([5, undefined]);
    expect(share(900, [100, 10_000, undefined], true)).toEqual([100, 400, 400]);
    expect([leftOf(undefined, 5), leftOf(10, 4), leftOf(10, 40)]).toEqual([undefined, 6, 0]);
  });
});

describe("an order", () => {
  it("is read, or refused with a sentence, whatever it is", () => {
    expect(readOrder({ task: "Go.", tools: ["a"], max_steps: 2 })).toEqual({
      task: "Go.",
      tools: ["a"],
      max_steps: 2,
    });
    for (const bad of [
      {},
      { task: 7 },
      { task: "  " },
      { task: "Go.", tools: "a" },
      { task: "Go.", tools: [1] },
      { task: "Go.", permission_mode: "root" },
      { task: "Go.", title: 1 },
      { task: "Go.", max_tokens: 0 },
      { task: "Go.", max_cost_usd: Infinity },
    ])
      expect(readOrder(bad)).toEqual(expect.any(String));
    fc.assert(
      fc.property(fc.dictionary(fc.string(), fc.jsonValue()), (args) => {
        const read = readOrder(args);
        expect(typeof read === "string" || read.task.trim() !== "").toBe(true);
      }),
    );
  });
});

describe("what the sessions above are told", () => {
  const delegation = {
    agent_id: "subagent_1.1",
    parent_session_id: "ses_2",
    parent_turn_id: "trn_2",
    root_session_id: "ses_1",
    tool_call_id: "c1",
    started_at: "2026-01-01T00:00:00.000Z",
  };
  const state = (turns = 1) => ({
    ...newLoopState(),
    settings: { session_id: "ses_3", status: "running" as const, depth: 2, delegation },
    turns,
    turn: { turn_id: "trn_3", tokens: 7, output_tokens: 2, cost_usd: 0.5 } as never,
  });
  const ended = (status: "completed" | "failed" | "parked"): NewEvent[] => [
    { type: "runtime.turn.ended", turn_id: "trn_3", data: { turn_id: "trn_3", status } },
    { type: "runtime.request.completed", turn_id: "trn_3", data: { turn_id: "trn_3", output: "Nine." } },
  ];
  const asked: NewEvent = {
    type: "runtime.question.asked",
    data: { request_id: "apr_1", kind: "approval", tool_name: "rm", reason: "why" },
  };
  const at = Date.UTC(2026, 0, 1) + 250;

  it("is the end, with what it says and used, to both of them", () => {
    const told = surfaced(state(), "ses_3", ended("completed"), at);
    expect(told.map(({ stream }) => stream)).toEqual(["ses_2", "ses_1"]);
    expect(told[0]?.events).toMatchObject([
      {
        turn_id: "trn_2",
        seal: true,
        data: {
          status: "completed",
          output: "Nine.",
          tokens: 7,
          output_tokens: 2,
          cost_usd: 0.5,
          elapsed_ms: 250,
        },
      },
    ]);
    expect(told[1]?.events).toMatchObject([
      { turn_id: null, data: { agent_id: "subagent_1.1", depth: 2, summary: "Nine." } },
    ]);
    // Only who delegated it goes on with all of it.
    expect(told[1]?.events[0]?.data).not.toHaveProperty("output");
  });

  it("is nothing while it is parked, nothing of a later turn, and nothing where nobody delegated", () => {
    expect(surfaced(state(), "ses_3", ended("parked"), at)).toEqual([]);
    expect(surfaced(state(2), "ses_3", ended("completed"), at)).toEqual([]);
    expect(surfaced(newLoopState(), "ses_3", [asked, ...ended("failed")], at)).toEqual([]);
  });

  it("is each question, which says whose it is", () => {
    const [event] = [marked(state(), asked)];
    expect(event?.data).toMatchObject({ agent_id: "subagent_1.1", root_session_id: "ses_1", depth: 2 });
    expect(marked(newLoopState(), asked)).toBe(asked);
    expect(surfaced(state(), "ses_3", [asked], at)).toMatchObject([
      { stream: "ses_2", events: [{ data: { status: "awaiting_approval", request_id: "apr_1" } }] },
      { stream: "ses_1", events: [{ data: { status: "awaiting_approval", tool_name: "rm" } }] },
    ]);
  });
});
