import type { AnyEvent, EventData, NewEvent, Wait } from "@fairlead/contract";
import { fold } from "../../src/domain/loop/fold.ts";
import { type LoopLimits, type Step, next } from "../../src/domain/loop/next.ts";
import { LOOK_BACK, subjectOf } from "../../src/domain/loop/reflection.ts";
import { type CallState, type LoopState, newLoopState } from "../../src/domain/loop/state.ts";

export const LIMITS: LoopLimits = { steps: 6, misfits: 3, parallel: 3, losses: 4, children: 2 };

/** Picks one of so many, from 0. */
export type Pick = (count: number) => number;

export function stored(event: NewEvent, seq: number): AnyEvent {
  return {
    id: `evt_${seq}`,
    seq,
    stream: "ses_1",
    at: "2026-01-01T00:00:00.000Z",
    v: 1,
    turn_id: null,
    agent_id: null,
    cause: null,
    owner: "runtime",
    ...event,
  } as AnyEvent;
}

export interface History {
  readonly events: readonly AnyEvent[];
  readonly state: LoopState;
  /** Whether nothing was left to do at the end. */
  readonly over: boolean;
}

/**
 * A session as some driver could have written it: does what `next` says, with whatever comes of it, and now and then is
 * lost in the middle of it. `pick` chooses.
 */
export function history(pick: Pick, watch: (state: LoopState) => void = () => {}, most = 400): History {
  const state = newLoopState();
  const events: AnyEvent[] = [];
  let ids = 0;
  let said = 0;
  const id = (mark: string) => `${mark}_${++ids}`;
  const turn_id = () => state.turn?.turn_id ?? null;
  const write = (...given: NewEvent[]) => {
    for (const event of given) {
      const whole = stored({ turn_id: turn_id(), ...event }, events.length + 1);
      events.push(whole);
      fold(state, whole);
      watch(state);
    }
  };
  const input = (): NewEvent => ({
    type: "runtime.input.queued",
    data: {
      input_id: id("inp") as never,
      mode: pick(2) === 0 ? "queue" : "steer",
      input: `more ${ids}`,
      actor: "ada",
    },
  });

  function request(text: string, input_id?: string): void {
    const turn = id("trn");
    write({
      type: "runtime.request.started",
      turn_id: turn,
      data: {
        turn_id: turn,
        input: text,
        attempt: 1,
        ...(input_id === undefined ? {} : { input_id: input_id as never }),
      },
    });
  }

  function end(status: "completed" | "failed" | "cancelled" | "parked", waits?: readonly Wait[]): void {
    const data = {
      turn_id: turn_id() ?? "",
      status,
      ...(waits === undefined ? {} : { waits: [...waits] }),
    };
    write({ type: "runtime.turn.ended", data });
  }

  function start(call: CallState): NewEvent {
    const { tool_call_id, name } = call.requested;
    const effect = (["none", "idempotent", "once"] as const)[pick(3)] ?? "once";
    const delegates = pick(4) === 0;
    return {
      type: "agent.tool.start",
      data: {
        tool_call_id,
        name,
        arguments: {},
        effect,
        access: pick(2) === 0 ? "read" : "write",
        parallel: delegates || pick(2) === 0,
        ...(delegates ? { delegates } : {}),
      },
    };
  }

  function outcome(
    { requested: { tool_call_id, name } }: CallState,
    status: "ok" | "denied" | "timeout",
  ): NewEvent {
    const data = { tool_call_id, tool_name: name, outcome_type: "x", status, elapsed_ms: 0, result: 1 };
    return { type: "agent.tool.outcome", data };
  }

  function asked(kind: "approval" | "user_input", tool_call_id?: string): NewEvent {
    const request_id = id("apr") as never;
    const of = tool_call_id === undefined ? {} : { tool_call_id };
    return {
      type: "runtime.question.asked",
      data: { request_id, kind, tool_name: "t", reason: "r", shown: { tool: "t", arguments: {} }, ...of },
    };
  }

  function judge(call: CallState): void {
    const { tool_call_id, name } = call.requested;
    switch (pick(4)) {
      case 0:
        return write(start(call));
      case 1:
        return write(start(call), outcome(call, "denied"));
      case 2:
        return write(asked("approval", tool_call_id));
      default:
        write({ type: "agent.tool.invalid", data: { tool_call_id, tool_name: name, error: "no" } });
    }
  }

  function subagent(status: string, tool_call_id: string, session_id: string): NewEvent {
    const data = { agent_id: session_id, status, parent_session_id: "ses_1", session_id, tool_call_id };
    return { type: "runtime.subagent.event", data };
  }

  function decide(wait: Wait): void {
    if (wait.kind === "session") {
      const status = (["completed", "failed", "cancelled"] as const)[pick(3)] ?? "failed";
      return write(subagent(status, wait.tool_call_id, wait.session_id));
    }
    if (wait.kind !== "question") return;
    const decision = (["approved", "denied", "edited", "expired"] as const)[pick(4)] ?? "denied";
    write({
      type: "runtime.question.decided",
      data: {
        request_id: wait.request_id,
        kind: "approval",
        tool_name: "t",
        decision,
        actor: "ada",
        decided_at: "2026-01-01T00:00:00.000Z",
      },
    });
  }

  function call(step: Extract<Step, { kind: "call" }>): void {
    for (const { input_id } of step.hear)
      write({ type: "runtime.input.taken", data: { input_id, turn_id: turn_id() ?? "", step: step.step } });
    switch (pick(6)) {
      case 0:
        return write({
          type: "agent.output.superseded",
          data: { step: step.step, attempt: step.attempt, reason: "cut" },
        });
      case 1:
        return end("failed");
      case 2:
        return write(asked("approval"));
      default:
        write({
          type: "agent.output.completed",
          data: { text: `said ${++said}`, step: step.step, ...calls(4) },
        });
    }
  }

  function reflect({ step, attempt, trigger }: Extract<Step, { kind: "reflect" }>): void {
    const told = { turn_id: turn_id() ?? "", source: "fairlead", subject: subjectOf(trigger) };
    if (state.turn?.reflecting.pending === null)
      write({ type: "runtime.context.injected", data: { ...told, text: LOOK_BACK[trigger] } });
    switch (pick(6)) {
      case 0:
        return write({ type: "agent.output.superseded", data: { step, attempt, reason: "cut" } });
      case 1:
        return resume();
      case 2:
        return write({
          type: "runtime.transport.diagnostic",
          data: { status: "degraded", kind: "reflection_skipped", reason: "r" },
        });
      default:
        write({ type: "agent.reflection", data: { text: `looked ${++said}`, trigger, step, ...calls(3) } });
    }
  }

  function calls(most: number) {
    const tool_calls = Array.from({ length: pick(most) }, () => ({
      tool_call_id: id("call"),
      name: `tool_${pick(3)}`,
      arguments: "{}",
    }));
    return tool_calls.length === 0 ? {} : { tool_calls };
  }

  function run({ calls, wave }: Extract<Step, { kind: "run" }>): void {
    const tool_call_ids = calls.map(({ requested }) => requested.tool_call_id);
    write({ type: "agent.tool.batch", data: { wave, tool_call_ids } });
    for (const one of calls) {
      // The process is lost here.
      if (pick(6) === 0) return resume();
      if (one.started?.delegates === true) write(subagent("started", one.requested.tool_call_id, id("ses")));
      else write(outcome(one, pick(3) === 0 ? "timeout" : "ok"));
      const { tool_call_id } = one.requested;
      if (pick(4) === 0) write(hooked({ status: "pending", tool_call_id, details: { outcome: "ok" } }));
    }
  }

  function hooked(data: Partial<EventData<"runtime.hook.event">>): NewEvent {
    return { type: "runtime.hook.event", data: { hook: "h", on: "after_tool", status: "started", ...data } };
  }

  function review({ owed }: Extract<Step, { kind: "review" }>): void {
    for (const { tool_call_id } of owed) {
      write(hooked({ tool_call_id }));
      // The process is lost here.
      if (pick(6) === 0) return resume();
      const status = ["completed", "failed", "skipped"][pick(3)] as string;
      write(hooked({ tool_call_id, status, blocks: pick(4) === 0, reason: "r" }));
    }
  }

  function resume(): void {
    const attempt = (state.turn?.attempt ?? 0) + 1;
    write({ type: "runtime.turn.resumed", data: { turn_id: turn_id() ?? "", attempt, reason: "r" } });
  }

  function perform(step: Step): boolean {
    switch (step.kind) {
      case "idle":
        if (said >= 6 || pick(3) === 0) return false;
        request(`ask ${events.length}`);
        return true;
      case "hold":
      case "drop":
        // Only of background work.
        return false;
      case "begin":
        request(step.input.input, step.input.input_id);
        return true;
      case "call":
        call(step);
        return true;
      case "reflect":
        reflect(step);
        return true;
      case "judge":
        for (const one of step.calls) judge(one);
        return true;
      case "settle":
        for (const one of step.calls) write(start(one), ...(pick(2) === 0 ? [outcome(one, "denied")] : []));
        return true;
      case "run":
        run(step);
        return true;
      case "verdict":
        for (const { requested, started } of step.calls) {
          const { tool_call_id, name: tool_name } = requested;
          const effect = started?.effect ?? "once";
          const verdict = effect === "none" ? "safe" : effect === "idempotent" ? "rerun" : "ask";
          const data = { tool_call_id, tool_name, effect, verdict, reason: "r" } as const;
          write({ type: "runtime.effect.verdict", data });
          if (verdict === "ask") write(asked("user_input", tool_call_id));
        }
        return true;
      case "gather":
        for (const one of step.calls) write(outcome(one, pick(3) === 0 ? "timeout" : "ok"));
        return true;
      case "review":
        review(step);
        return true;
      case "park":
        end("parked", step.waits);
        if (pick(5) === 0)
          write({
            type: "runtime.turn.cancelling",
            data: { turn_id: turn_id() ?? "", actor: "ada", reason: "enough" },
          });
        else {
          for (const wait of step.waits) decide(wait);
          resume();
        }
        return true;
      case "complete":
        end("completed");
        return true;
      case "cancel":
        end("cancelled");
        return true;
      case "stop":
      case "fail":
        end("failed");
        return true;
    }
  }

  const reflection = [undefined, { before_finish: true }, { after_failures: 2, before_finish: true }][
    pick(3)
  ];
  write({
    type: "runtime.session.state",
    data: { session_id: "ses_1", status: "idle", ...(reflection === undefined ? {} : { reflection }) },
  });
  for (let i = 0; i < most; i++) {
    if (pick(12) === 0 && state.turn !== null) write(input());
    if (pick(40) === 0 && state.turn !== null) end("cancelled");
    if (!perform(next(state, LIMITS))) return { events, state, over: true };
  }
  return { events, state, over: false };
}
