import type { AhpServer, BlockingType } from "@fairlead/ahp";
import { createServer, EVENT_TYPES } from "@fairlead/ahp";
import { budgetSpent, type Guard } from "../domain/supervision/guards.ts";
import type { Clock } from "../ports/clock.ts";
import type { EventLog } from "../ports/event-log.ts";
import type { Ids } from "../ports/ids.ts";
import type { Timers } from "../ports/timers.ts";
import type { External } from "../services/supervision/external.ts";
import { SUPERVISION_LIMITS, type SupervisionLimits } from "../services/supervision/limits.ts";
import type { Rules } from "../services/supervision/rules.ts";
import { createSupervision } from "../services/supervision/supervision.ts";
import { taken } from "../services/refusal.ts";
import { appendToSystem } from "../services/system-stream.ts";
import type { Services } from "../services/types.ts";
import { createHandlers } from "./handlers.ts";
import { createHeartbeats, HEARTBEAT_DEFAULTS } from "./heartbeats.ts";
import { createAdmission, localPeer, type Peer } from "./peer.ts";
import { createQueries } from "./queries.ts";
import { createAgentSessions } from "./sessions.ts";

export interface HarnessOptions {
  readonly version: string;
  /** How long agents are told to wait for an answer. */
  readonly timeoutMs?: number;
  readonly limits?: Partial<SupervisionLimits>;
  /** What agents work in, for rules about paths. Without it, or where it can be no workspace, every absolute path is outside. */
  readonly workspace?: string;
  readonly heartbeat?: {
    readonly missed?: number;
    readonly assumedMs?: number;
    readonly shortestMs?: number;
  };
}

export interface HarnessDeps {
  readonly log: EventLog;
  readonly services: Services;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly timers: Timers;
  readonly rules: Rules;
  /** Who opened them closes them. */
  readonly externals: readonly External[];
  /** Beside the rules; without a word only the budget's. */
  readonly guards?: readonly Guard[];
  /** Must not throw. */
  readonly report: (error: unknown) => void;
}

/** The protocol for agents we do not own. Put it on a transport with `listen`. */
export interface Harness {
  readonly server: AhpServer<Peer>;
  /** Who shows an agent's token is let in. */
  readonly admit: ReturnType<typeof createAdmission>;
  /** Who needs none: on a socket or pipe that only this user can open. */
  readonly local: (name: string) => Peer;
  /** Takes up what a process before this one listened to. */
  start(): Promise<void>;
  /** Forgets timers. */
  stop(): Promise<void>;
}

const TIMEOUT_MS = 10_000;
/** Answers go out this long before agents stop waiting. */
const MARGIN_MS = 1_000;

export function createHarness(deps: HarnessDeps, options: HarnessOptions): Harness {
  const { log, services, clock, ids, timers, rules, externals, guards = [budgetSpent], report } = deps;
  const { timeoutMs = TIMEOUT_MS, workspace, version } = options;
  const answerMs = timeoutMs - Math.min(MARGIN_MS, timeoutMs / 5);
  const limits = { ...SUPERVISION_LIMITS, answerMs, ...options.limits };
  const supervision = createSupervision({
    log,
    clock,
    ids,
    timers,
    rules,
    guards,
    externals,
    limits,
    report,
    questions: services.questions,
  });
  const sessions = createAgentSessions({
    log,
    ids,
    clock,
    ...(workspace === undefined ? {} : { workspace }),
  });
  const heartbeats = createHeartbeats({
    log,
    clock,
    timers,
    report,
    ...HEARTBEAT_DEFAULTS,
    ...options.heartbeat,
  });
  const queries = createQueries({ services, sessions, rules, externals, limits, clock });
  const { handlers, onIgnored } = createHandlers({
    sessions,
    supervision,
    heartbeats,
    queries,
    clock,
    forward: (event) => externals.forEach((external) => external.notify(event)),
    tellSystem: async (event) => void taken(await appendToSystem(log, [event], [])),
    report,
  });
  const server = createServer<Peer>(handlers, {
    info: { name: "fairlead", version },
    capabilities: [
      ...EVENT_TYPES.filter((type) => type !== "intent_detection" || isAnswered(externals, type)),
      "query",
      "batch",
    ],
    limits: { timeoutMs },
    onIgnored,
  });
  return {
    server,
    admit: createAdmission({ tokens: services.tokens, clock }),
    local: localPeer,
    start: heartbeats.start,
    async stop() {
      heartbeats.stop();
    },
  };
}

/** Intents are detected only where somebody outside does it, or a rule happens to. */
function isAnswered(externals: readonly External[], type: BlockingType): boolean {
  const event = { event_type: type } as Parameters<External["answersFor"]>[0];
  return externals.some((external) => external.answersFor(event));
}
