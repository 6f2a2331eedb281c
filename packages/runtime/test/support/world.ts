import { type AnyEvent, ID_PREFIXES, type Id, type IdKind, type StreamId } from "@fairlead/contract";
import { type Actor, SYSTEM_ACTOR } from "../../src/domain/actor.ts";
import type { DailyBudgets } from "../../src/domain/budget/day.ts";
import type { LoopLimits } from "../../src/domain/loop/next.ts";
import { compilePolicy } from "../../src/domain/policy/compile.ts";
import { PROJECTIONS } from "../../src/domain/projections.ts";
import { nativeEngine } from "../../src/engines/native.ts";
import { places } from "../../src/host/places.ts";
import { createEventLog } from "../../src/log/event-log.ts";
import { createRedactor } from "../../src/log/redact.ts";
import { createSealer } from "../../src/log/seal.ts";
import type { Script, Step } from "../../src/models/script.ts";
import { scriptedModel } from "../../src/models/scripted.ts";
import type { Clock } from "../../src/ports/clock.ts";
import type { EventLog } from "../../src/ports/event-log.ts";
import type { HookDefinition, HookHost } from "../../src/ports/hook.ts";
import type { Ids } from "../../src/ports/ids.ts";
import type { LogStore } from "../../src/ports/log-store.ts";
import type { Model } from "../../src/ports/model.ts";
import type { Retriever } from "../../src/ports/retrieval.ts";
import type { Tool } from "../../src/ports/tool.ts";
import type { Timers } from "../../src/ports/timers.ts";
import type { Workspaces } from "../../src/ports/workspaces.ts";
import { createServices, type ServicesDeps } from "../../src/services/create-services.ts";
import { createOwnSupervision } from "../../src/services/supervision/own.ts";
import type { OwnSupervision } from "../../src/services/supervision/own-types.ts";
import { policyRules } from "../../src/services/supervision/policy-rules.ts";
import type { Rules } from "../../src/services/supervision/rules.ts";
import { createToolGateway } from "../../src/services/tools/gateway.ts";
import { createGuard } from "../../src/services/tools/guard.ts";
import type { ToolLimits } from "../../src/services/tools/limits.ts";
import type { TurnLimits } from "../../src/services/turn/limits.ts";
import type { Services } from "../../src/services/types.ts";
import { createRoots } from "../../src/services/workspaces/roots.ts";
import { openMemoryStore } from "../../src/stores/memory/open.ts";

/** A clock and its timers, moved by hand. */
export interface HandTime {
  readonly clock: Clock;
  readonly timers: Timers;
  /** Lets the time pass, calling what comes due, in order. */
  advance(ms: number): Promise<void>;
  /** Timers that wait. */
  waiting(): number;
}

/** Gives appends under way, which take a few turns of the event loop, the time to finish. */
export async function settle(): Promise<void> {
  for (let i = 0; i < 12; i++) await new Promise<void>((resolve) => void setImmediate(resolve));
}

export function handTime(start = Date.UTC(2026, 0, 1)): HandTime {
  let now = start;
  const waiting = new Set<{ readonly at: number; readonly callback: () => void }>();
  return {
    clock: { now: () => now },
    timers: {
      after(ms, callback) {
        const timer = { at: now + ms, callback };
        waiting.add(timer);
        return () => void waiting.delete(timer);
      },
    },
    async advance(ms) {
      const end = now + ms;
      for (;;) {
        const next = [...waiting].filter((timer) => timer.at <= end).toSorted((a, b) => a.at - b.at)[0];
        if (next === undefined) break;
        now = Math.max(now, next.at);
        waiting.delete(next);
        next.callback();
        await settle();
      }
      now = end;
      await settle();
    },
    waiting: () => waiting.size,
  };
}

/** ses_0001, ses_0002, …: transcripts made with them are the same every time. */
export function countingIds(mark = ""): Ids {
  const counts = new Map<IdKind, number>();
  return {
    next<K extends IdKind>(kind: K): Id<K> {
      const count = (counts.get(kind) ?? 0) + 1;
      counts.set(kind, count);
      return `${ID_PREFIXES[kind]}_${mark}${String(count).padStart(4, "0")}` as Id<K>;
    },
  };
}

export interface World {
  readonly log: EventLog;
  readonly services: Services;
  readonly time: HandTime;
  readonly store: LogStore;
  /** What could not be put in the log. */
  readonly reported: unknown[];
}

export interface WorldOptions {
  readonly store?: LogStore;
  readonly time?: HandTime;
  readonly models?: readonly Model[];
  readonly steps?: readonly Step[];
  readonly fallbacks?: readonly string[];
  readonly limits?: Partial<TurnLimits & LoopLimits>;
  readonly tools?: readonly Tool[];
  /** Rules that runs are judged by, as YAML; without them everything is allowed. */
  readonly rules?: string;
  readonly supervision?: OwnSupervision;
  readonly toolLimits?: Partial<ToolLimits>;
  readonly workspace?: string;
  readonly workspaces?: Workspaces;
  readonly budgets?: DailyBudgets;
  readonly engines?: ServicesDeps["engines"];
  readonly retriever?: Retriever;
  readonly hooks?: { readonly hooks: readonly HookDefinition[]; readonly host: HookHost };
  /** Keeps the ids of two worlds over one store apart. */
  readonly mark?: string;
  readonly wrap?: (log: EventLog) => EventLog;
}

export function script(...steps: readonly Step[]): Script {
  return { rules: [{ do: [...steps] }] };
}

export const SEAL_KEY = Buffer.alloc(32, 7);

/** Log and services over a store, with time and ids in the test's hand. */
export function world(options: WorldOptions = {}): World {
  const time = options.time ?? handTime();
  const store = options.store ?? openMemoryStore({ clock: time.clock });
  const ids = countingIds(options.mark);
  const redactor = createRedactor();
  const bare = createEventLog({
    store,
    clock: time.clock,
    ids,
    redactor,
    sealer: createSealer(SEAL_KEY),
    projections: PROJECTIONS,
  });
  const log = options.wrap?.(bare) ?? bare;
  const reported: unknown[] = [];
  const models = options.models ?? [
    scriptedModel({ script: script(...(options.steps ?? [{ say: "Hello there." }])) }),
  ];
  let secrets = 0;
  const { tools = [] } = options;
  const gateway = createToolGateway({
    sources: [{ name: "test", tools: () => tools, close: async () => {} }],
    check: createGuard({ places: places }),
    timers: time.timers,
    stopwatch: time.clock.now,
    ...(options.toolLimits === undefined ? {} : { limits: options.toolLimits }),
  });
  const supervision =
    options.supervision ??
    createOwnSupervision({
      rules: rulesFrom(options.rules ?? NO_RULES, time.clock.now),
      guards: [],
      externals: [],
      clock: time.clock,
      ids,
      limits: { budget: {} },
    });
  const services = createServices({
    tools: gateway,
    supervision,
    roots: createRoots({ roots: [options.workspace ?? "/nowhere"], hidden: [], places }),
    ...(options.workspaces === undefined ? {} : { workspaces: options.workspaces }),
    ...(options.retriever === undefined ? {} : { retriever: options.retriever }),
    ...(options.hooks === undefined ? {} : { hooks: { ...options.hooks, stopwatch: time.clock.now } }),
    ...(options.budgets === undefined ? {} : { budgets: options.budgets }),
    fallbacks: options.fallbacks ?? [],
    log,
    clock: time.clock,
    ids,
    timers: time.timers,
    redactor,
    models,
    limits: { callTries: 1, ...options.limits },
    secret: () => `secret-${options.mark ?? ""}-${String(++secrets).padStart(24, "0")}`,
    engines: options.engines ?? ((turns) => [nativeEngine(turns)]),
    process: `host${options.mark ?? ""}:1`,
    report: (error) => void reported.push(error),
  });
  return { log, services, time, store, reported };
}

const NO_RULES = "rules: []\n";

export function rulesFrom(text: string, stopwatch: () => number): Rules {
  const compiled = compilePolicy([{ path: "policies/test.yaml", text }]);
  if (!compiled.ok) throw new Error(JSON.stringify(compiled.errors));
  return policyRules(() => compiled.policy, stopwatch);
}

export const ADMIN: Actor = { ...SYSTEM_ACTOR, name: "root" };

export function actor(role: Actor["role"], name: string = role, project: string | null = null): Actor {
  return { name, role, project, token_id: null };
}

/** Every event of a stream. */
export async function everything(log: EventLog, stream: StreamId): Promise<readonly AnyEvent[]> {
  const events: AnyEvent[] = [];
  for (let after = 0; ;) {
    const page = await log.read(stream, { after });
    events.push(...page.events);
    if (page.next === null) return events;
    after = page.next;
  }
}

/** The code of the error that this rejects with; fails when it does not. */
export async function codeOf(promise: Promise<unknown>): Promise<string> {
  return (await errorOf(promise)).code;
}

export async function errorOf(
  promise: Promise<unknown>,
): Promise<{ code: string; message: string; details: Record<string, unknown> }> {
  try {
    await promise;
  } catch (error) {
    if (error instanceof Error && "code" in error) return error as never;
    throw error;
  }
  throw new Error("it was expected to be refused");
}
