import type { NewEvent } from "@fairlead/contract";
import type { Clock } from "../ports/clock.ts";
import type { Timers } from "../ports/timers.ts";
import type { Supervised } from "./sessions.ts";

export interface HeartbeatDeps {
  readonly clock: Clock;
  readonly timers: Timers;
  /** So many intervals of silence are too many. */
  readonly missed: number;
  /** The interval that is assumed before two heartbeats have shown it, and the shortest believed. */
  readonly assumedMs: number;
  readonly shortestMs: number;
  readonly write: (session: Supervised, events: readonly NewEvent[]) => Promise<void>;
  /** Must not throw. */
  readonly report: (error: unknown) => void;
}

export const HEARTBEAT_DEFAULTS = { missed: 3, assumedMs: 30_000, shortestMs: 1_000 } as const;

export interface Heartbeats {
  /** A heartbeat came; what to record beside it. */
  beat(session: Supervised, at?: number): readonly NewEvent[];
  /** The session ended: silence is right from now on. */
  end(session: Supervised): void;
  stop(): void;
}

interface Pulse {
  last: number;
  intervalMs: number;
  isMissing: boolean;
  callOff: () => void;
}

/** Notices agents that used to show that they are alive and no longer do. */
export function createHeartbeats(deps: HeartbeatDeps): Heartbeats {
  const { clock, timers, missed, assumedMs, shortestMs, write, report } = deps;
  const pulses = new Map<string, Pulse>();

  function wait(session: Supervised, pulse: Pulse): void {
    pulse.callOff();
    const due = pulse.last + missed * pulse.intervalMs;
    pulse.callOff = timers.after(Math.max(0, due - clock.now()), () => {
      pulse.isMissing = true;
      const flagged = snapshot(session, ["heartbeat_missed"], pulse, clock.now());
      write(session, [flagged]).catch(report);
    });
  }

  return {
    beat(session, at = clock.now()) {
      const before = pulses.get(session.stream);
      const pulse = before ?? { last: at, intervalMs: assumedMs, isMissing: false, callOff: () => {} };
      const isBack = pulse.isMissing;
      // A pause that was flagged says nothing about the rhythm.
      if (before !== undefined && !isBack) pulse.intervalMs = Math.max(shortestMs, at - pulse.last);
      pulse.last = at;
      pulse.isMissing = false;
      pulses.set(session.stream, pulse);
      wait(session, pulse);
      return isBack ? [snapshot(session, [], pulse, at)] : [];
    },
    end(session) {
      pulses.get(session.stream)?.callOff();
      pulses.delete(session.stream);
    },
    stop() {
      for (const pulse of pulses.values()) pulse.callOff();
      pulses.clear();
    },
  };
}

function snapshot({ stream }: Supervised, flags: string[], pulse: Pulse, now: number): NewEvent {
  const isMissing = flags.length > 0;
  return {
    type: "runtime.health.snapshot",
    data: {
      session_id: stream,
      score: isMissing ? 0.5 : 1,
      flags,
      recovery_hint: isMissing
        ? "The agent stopped sending heartbeats. See whether its process is alive."
        : null,
      heartbeat: {
        last_at: new Date(pulse.last).toISOString(),
        interval_ms: pulse.intervalMs,
        silent_ms: now - pulse.last,
      },
    },
  };
}
