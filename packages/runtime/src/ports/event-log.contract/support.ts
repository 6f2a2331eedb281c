import { type AnyEvent, type NewEvent, type SessionId, type StreamId, idMaker } from "@fairlead/contract";
import { createEventLog } from "../../log/event-log.ts";
import { createSealer } from "../../log/seal.ts";
import type { Append, Appended, EventLog, StreamSpec, StreamWrite } from "../event-log.ts";
import type { Clock } from "../clock.ts";
import type { LogStore } from "../log-store.ts";
import type { Projection } from "../projection.ts";

/** A database of one kind, empty; `open` may be called again to look at it after a close or from a second process. */
export interface Site {
  open(clock: Clock): Promise<LogStore>;
  destroy(): Promise<void>;
}

export interface StoreKind {
  readonly name: string;
  newSite(): Promise<Site>;
  /** Whether closing and opening again finds what was written. */
  readonly durable: boolean;
  /** Whether several may be open on one site. */
  readonly shared: boolean;
}

/** A clock that tests move by hand. */
export function handClock(start = Date.UTC(2026, 0, 1)): Clock & { advance(ms: number): void } {
  let now = start;
  return {
    now: () => now,
    advance(ms) {
      now += ms;
    },
  };
}

const nextId = idMaker({ now: () => Date.now(), random: Math.random });
export const newSession = (): SessionId => nextId("session");
export const newEventId = () => nextId("event");

/** Counts tokens a session: small, and visible in one row. */
export const tokenCount: Projection<{ count: number; last: string }> = {
  kind: "token_count",
  types: ["agent.output.delta", "runtime.session.state"],
  key: (event) => event.stream,
  evolve: (row, event) => ({
    count: (row?.count ?? 0) + (event.type === "agent.output.delta" ? 1 : 0),
    last: event.id,
  }),
  state: (row) => (row.count % 2 === 0 ? "even" : "odd"),
  at: (row) => row.count,
};

export function openLog(
  store: LogStore,
  clock: Clock,
  projections: readonly Projection[] = [],
  report: (error: unknown) => void = () => {},
): EventLog {
  return createEventLog({
    store,
    report,
    clock,
    ids: { next: nextId },
    projections,
    sealer: createSealer(Buffer.alloc(32, 9)),
  });
}

export const SPEC: StreamSpec = {
  owner: "user",
  kind: "chat",
  project: null,
  broadcast: false,
  created_by: "ada",
};

export function token(text: string): NewEvent<"agent.output.delta"> {
  return { type: "agent.output.delta", data: { text }, turn_id: "trn_1" };
}

export function state(id: StreamId): NewEvent<"runtime.session.state"> {
  return { type: "runtime.session.state", data: { session_id: id, status: "idle" } };
}

export function seed(id: StreamId): NewEvent<"runtime.session.checkpoint"> {
  return {
    type: "runtime.session.checkpoint",
    data: {
      session_id: id,
      sequence: 1,
      checkpoint_type: "resume_seed",
      status: "completed",
      summary_text: "branched",
      resume_cursor: null,
    },
  };
}

export const one = (write: StreamWrite, keys?: readonly string[]): Append =>
  keys === undefined ? { writes: [write] } : { writes: [write], keys };

export function events(appended: Appended): readonly AnyEvent[] {
  if (!appended.ok) throw new Error(`refused: ${appended.refusal.code}: ${appended.refusal.message}`);
  return appended.events;
}

export function refusal(appended: Appended): string {
  return appended.ok ? "accepted" : appended.refusal.code;
}

/** How a promise fails, attended to from now on: it may fail long before it is awaited. */
export function failureOf(promise: Promise<unknown>): Promise<string> {
  return promise.then(
    () => "no failure",
    (error: { code?: string }) => error.code ?? String(error),
  );
}

export async function create(
  log: EventLog,
  count = 1,
  spec: Partial<StreamSpec> = {},
  id = newSession(),
): Promise<SessionId> {
  events(await log.append(one({ stream: id, create: { ...SPEC, ...spec }, events: [state(id)] })));
  if (count > 1)
    events(
      await log.append(
        one({ stream: id, events: Array.from({ length: count - 1 }, (_, i) => token(`t${i + 2}`)) }),
      ),
    );
  return id;
}

export async function branch(
  log: EventLog,
  parent: StreamId,
  seq: number,
  id = newSession(),
): Promise<SessionId> {
  events(
    await log.append(one({ stream: id, create: { ...SPEC, fork: { parent, seq } }, events: [seed(id)] })),
  );
  return id;
}

export const seqs = (some: readonly AnyEvent[]): number[] => some.map((event) => event.seq);

/** Every event a reader can reach, by pages of an awkward size. */
export async function readWhole(
  log: EventLog,
  stream: StreamId,
  history: "own" | "full" = "own",
  limit = 7,
): Promise<AnyEvent[]> {
  const all: AnyEvent[] = [];
  for (let after: number | null = 0; after !== null;) {
    const page = await log.read(stream, { after, limit, history });
    all.push(...page.events);
    after = page.next;
  }
  return all;
}

/** Follows until `count` events came. */
export async function take(
  log: EventLog,
  stream: StreamId,
  count: number,
  after = 0,
  history: "own" | "full" = "own",
): Promise<AnyEvent[]> {
  const stop = new AbortController();
  const found: AnyEvent[] = [];
  for await (const batch of log.subscribe(stream, { after, history, signal: stop.signal })) {
    found.push(...batch);
    if (found.length >= count) break;
  }
  stop.abort();
  return found;
}
