import type { AnyEvent, NewEvent, StreamId } from "@fairlead/contract";
import { is } from "../domain/event.ts";
import type { StoredSession } from "../domain/session.ts";
import type { Clock } from "../ports/clock.ts";
import type { EventLog } from "../ports/event-log.ts";
import type { Timers } from "../ports/timers.ts";
import { taken } from "../services/refusal.ts";

export interface HeartbeatDeps {
  readonly log: EventLog;
  readonly clock: Clock;
  readonly timers: Timers;
  /** So many intervals of silence are too many. */
  readonly missed: number;
  /** The interval that is assumed before two heartbeats have shown it, and the shortest believed. */
  readonly assumedMs: number;
  readonly shortestMs: number;
  /** Agents listened to; beyond, the one heard longest ago is forgotten. */
  readonly most: number;
  /** Must not throw. */
  readonly report: (error: unknown) => void;
}

export const HEARTBEAT_DEFAULTS = { missed: 3, assumedMs: 30_000, shortestMs: 1_000, most: 10_000 } as const;

export interface Heartbeats {
  /** Takes up the agents that a process before this one listened to. */
  start(): Promise<void>;
  /** A heartbeat came; what to record beside it. */
  beat(stream: StreamId): readonly NewEvent[];
  /** The session ended: silence is right from now on. */
  end(stream: StreamId): void;
  stop(): void;
  /** How many agents are listened to. */
  readonly size: number;
}

interface Pulse {
  last: number;
  intervalMs: number;
  callOff: () => void;
}

const FLAG = "heartbeat_missed";
const PAGE = 200;
/** The events that say how an agent's heart beats, newest first: enough to know its rhythm. */
const TRACES = {
  types: ["agent.heartbeat", "runtime.health.snapshot"],
  before: Number.MAX_SAFE_INTEGER,
  limit: 3,
};

/** Notices agents that used to show that they are alive and no longer do. */
export function createHeartbeats(deps: HeartbeatDeps): Heartbeats {
  const { log, clock, timers, missed, assumedMs, shortestMs, most, report } = deps;
  const pulses = new Map<StreamId, Pulse>();
  /** Those that were flagged, and the rhythm they had. */
  const missing = new Map<StreamId, number>();

  /** The newest last; of too many the oldest goes. */
  function keep<V>(map: Map<StreamId, V>, stream: StreamId, value: V): V | undefined {
    map.delete(stream);
    map.set(stream, value);
    const [oldest] = map;
    if (map.size <= most || oldest === undefined) return undefined;
    map.delete(oldest[0]);
    return oldest[1];
  }

  function wait(stream: StreamId, pulse: Pulse): void {
    pulse.callOff();
    const due = pulse.last + missed * pulse.intervalMs;
    pulse.callOff = timers.after(
      Math.max(0, due - clock.now()),
      () => void flag(stream, pulse).catch(report),
    );
  }

  async function flag(stream: StreamId, pulse: Pulse): Promise<void> {
    pulses.delete(stream);
    keep(missing, stream, pulse.intervalMs);
    taken(await log.append({ writes: [{ stream, events: [snapshot(stream, [FLAG], pulse, clock.now())] }] }));
  }

  async function takeUp(stream: StreamId): Promise<void> {
    const { events } = await log.read(stream, TRACES);
    const beats = events
      .filter((event) => event.type === "agent.heartbeat")
      .map((event) => Date.parse(event.at));
    const [last, before] = beats;
    if (last === undefined || pulses.has(stream) || missing.has(stream)) return;
    const intervalMs = before === undefined ? assumedMs : Math.max(shortestMs, last - before);
    if (isFlag(events[0])) return void keep(missing, stream, intervalMs);
    const pulse = { last, intervalMs, callOff: () => {} };
    keep(pulses, stream, pulse)?.callOff();
    wait(stream, pulse);
  }

  return {
    async start() {
      let cursor: string | undefined;
      do {
        const page = await log.rows<StoredSession>("session", {
          state: ["running", "awaiting_approval"],
          limit: PAGE,
          ...(cursor === undefined ? {} : { cursor }),
        });
        for (const { kind, session_id } of page.rows) if (kind === "supervised") await takeUp(session_id);
        cursor = page.cursor ?? undefined;
      } while (cursor !== undefined);
    },
    beat(stream) {
      const at = clock.now();
      const before = pulses.get(stream);
      // A pause that was flagged says nothing about the rhythm.
      const rhythm = missing.get(stream);
      const isBack = missing.delete(stream);
      const pulse = before ?? { last: at, intervalMs: rhythm ?? assumedMs, callOff: () => {} };
      if (before !== undefined) pulse.intervalMs = Math.max(shortestMs, at - pulse.last);
      pulse.last = at;
      keep(pulses, stream, pulse)?.callOff();
      wait(stream, pulse);
      return isBack ? [snapshot(stream, [], pulse, at)] : [];
    },
    end(stream) {
      pulses.get(stream)?.callOff();
      pulses.delete(stream);
      missing.delete(stream);
    },
    get size() {
      return pulses.size;
    },
    stop() {
      for (const pulse of pulses.values()) pulse.callOff();
      pulses.clear();
    },
  };
}

function isFlag(event: AnyEvent | undefined): boolean {
  return event !== undefined && is(event, "runtime.health.snapshot") && event.data.flags.includes(FLAG);
}

function snapshot(stream: StreamId, flags: string[], pulse: Pulse, now: number): NewEvent {
  const isMissing = flags.length > 0;
  const hint = "The agent stopped sending heartbeats. See whether its process is alive.";
  return {
    type: "runtime.health.snapshot",
    data: {
      session_id: stream,
      score: isMissing ? 0.5 : 1,
      flags,
      recovery_hint: isMissing ? hint : null,
      heartbeat: {
        last_at: new Date(pulse.last).toISOString(),
        interval_ms: pulse.intervalMs,
        silent_ms: now - pulse.last,
      },
    },
  };
}
