import { type EventId, type NewEvent, type SessionId, TURN_FAILURES } from "@fairlead/contract";
import { type CancelTurn, type CompleteTurn, type FailTurn, OWN_AGENT } from "../../domain/turn-decide.ts";
import type { EventLog, Lease } from "../../ports/event-log.ts";
import type { Message, Model } from "../../ports/model.ts";
import type { Timers } from "../../ports/timers.ts";
import { type Redactor, redacted } from "../redaction.ts";
import { refused } from "../refusal.ts";
import { type CallResult, callModel } from "./call.ts";
import { createDeltas } from "./deltas.ts";
import { endTurn } from "./end.ts";
import { loadHistory } from "./history.ts";
import type { TurnLimits } from "./limits.ts";

export interface RunDeps {
  readonly log: EventLog;
  readonly timers: Timers;
  readonly limits: TurnLimits;
  readonly redactor: Redactor;
  /** Told of what cannot be put in the log, because the log is what failed. Must not throw. */
  readonly report: (error: unknown) => void;
}

export interface RunOptions {
  readonly lease: Lease;
  readonly session: SessionId;
  readonly turn_id: string;
  readonly started: { readonly id: EventId; readonly seq: number };
  readonly input: string;
  readonly model: Model;
}

/** How a turn is ended from outside. */
type Stop = FailTurn | CancelTurn;

/** A turn that this process drives. */
export interface Run {
  readonly turn_id: string;
  /** The first reason given stands. */
  stop(why: Stop): void;
  /** Resolves when the end is recorded and the lease given back, with false when this process could not record it. */
  readonly ended: Promise<boolean>;
}

/**
 * Drives one turn to its end. Invariants:
 * 1. Every append is guarded by the lease's epoch; once the lease is lost, nothing more is appended.
 * 2. It ends: by the model, by a limit, by `stop`, or by losing the lease.
 * 3. `ended` never rejects.
 */
export function runTurn(deps: RunDeps, options: RunOptions): Run {
  const { log, timers, limits, report } = deps;
  const { lease, session, turn_id, started, input, model } = options;
  const abort = new AbortController();
  const envelope = { turn_id, agent_id: OWN_AGENT, cause: started.id };
  let stopped: Stop | undefined;
  let lost = false;

  function lose(): void {
    lost = true;
    abort.abort();
  }

  function stop(why: Stop): void {
    stopped ??= why;
    abort.abort();
  }

  async function append(events: readonly NewEvent[]): Promise<void> {
    if (lost) return;
    try {
      const appended = await log.append({
        writes: [{ stream: session, events, guard: { epoch: lease.epoch } }],
      });
      if (appended.ok) return;
      if (appended.refusal.code === "lease_lost" || appended.refusal.code === "session_purged") return lose();
      report(refused(appended.refusal));
    } catch (error) {
      report(error);
    }
    stop({ kind: "fail", code: "internal", error: TURN_FAILURES.internal });
  }

  let callOff = () => {};
  function renewLater(): void {
    callOff = timers.after(limits.leaseMs / 3, () => {
      log.renewLease(lease, limits.leaseMs).then(
        (held) => (held ? !abort.signal.aborted && renewLater() : lose()),
        // The store is away. The epoch still guards every append, so try again while there is time.
        () => !abort.signal.aborted && renewLater(),
      );
    });
  }

  async function answer(heard: (kind: "text" | "thinking", text: string) => void): Promise<CallResult> {
    try {
      const before = await loadHistory(log, session, started.seq, limits.historyMessages);
      const messages: readonly Message[] = [...before, { role: "user", text: input }];
      return await callModel({ model, request: { messages }, signal: abort.signal, timers, limits, heard });
    } catch (error) {
      report(error);
      return { kind: "failure", code: "internal", error: TURN_FAILURES.internal };
    }
  }

  async function drive(): Promise<boolean> {
    renewLater();
    const deltas = createDeltas({
      timers,
      intervalMs: limits.deltaMs,
      envelope,
      redact: (text) => redacted(deps.redactor, text),
      append,
    });
    try {
      const result = await answer(deltas.add);
      const rest = await deltas.close();
      if (lost) return false;
      const ended = await endTurn(log, lease, stopped ?? commandFor(result), rest);
      if (!ended.ok) report(refused(ended.refusal));
      return ended.ok;
    } catch (error) {
      report(error);
      return false;
    } finally {
      callOff();
      abort.abort();
      await log.releaseLease(lease).catch(report);
    }
  }

  return { turn_id, stop, ended: drive() };
}

function commandFor(result: CallResult): CompleteTurn | FailTurn | CancelTurn {
  switch (result.kind) {
    case "answer": {
      const { output, usage, reason } = result;
      return {
        kind: "complete",
        output,
        ...(usage === undefined ? {} : { usage }),
        ...(reason === "stop" ? {} : { reason }),
      };
    }
    case "failure":
      return { kind: "fail", code: result.code, error: result.error };
    case "aborted":
      // Only `stop` and a lost lease abort, and both are looked at before this.
      return { kind: "fail", code: "interrupted", error: TURN_FAILURES.interrupted };
  }
}
