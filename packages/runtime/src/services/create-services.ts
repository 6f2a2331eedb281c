import type { Clock } from "../ports/clock.ts";
import type { Engine } from "../ports/engine.ts";
import type { EventLog } from "../ports/event-log.ts";
import type { Ids } from "../ports/ids.ts";
import type { Model } from "../ports/model.ts";
import type { Retriever } from "../ports/retrieval.ts";
import type { Timers } from "../ports/timers.ts";
import type { Workspaces } from "../ports/workspaces.ts";
import type { TokenCounters } from "../ports/tokens.ts";
import { ESTIMATE } from "../domain/context/estimate.ts";
import type { DailyBudgets } from "../domain/budget/day.ts";
import type { LoopLimits } from "../domain/loop/next.ts";
import { createBranches } from "./branches.ts";
import { createComparisons } from "./compare/compare.ts";
import { createDetails } from "./details.ts";
import { createGrants } from "./grants.ts";
import { createHookGate, type HookGateDeps, NO_HOOKS } from "./hooks/gate.ts";
import { createHooks } from "./hooks/hooks.ts";
import { createHealth } from "./health/health.ts";
import { createInbox } from "./inbox.ts";
import { createKernel } from "./kernel/kernel.ts";
import { createModelList } from "./model-list.ts";
import { createModels } from "./models.ts";
import { createQuestions } from "./questions.ts";
import type { Redactor } from "./redaction.ts";
import { createSessions, type SessionsDeps } from "./sessions.ts";
import type { OwnSupervision } from "./supervision/own-types.ts";
import { createTools } from "./tools/tools.ts";
import type { ToolGateway } from "./tools/types.ts";
import { createTokens, type TokensDeps } from "./tokens.ts";
import { TURN_LIMITS, type TurnLimits } from "./turn/limits.ts";
import { createStates } from "./loop/states.ts";
import { createTurns } from "./turns.ts";
import { createDirectories } from "./workspaces/directories.ts";
import { createOffers } from "./workspaces/offers.ts";
import type { Roots } from "./workspaces/roots.ts";
import type { Services, Turns } from "./types.ts";

export interface ServicesDeps {
  readonly log: EventLog;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly timers: Timers;
  readonly redactor: Redactor;
  readonly secret: TokensDeps["secret"];
  /** The first is the one a session gets when it names none. */
  readonly models: readonly Model[];
  /** Names of those that stand in for one that fails, in order. */
  readonly fallbacks?: readonly string[];
  readonly tools: ToolGateway;
  readonly supervision: OwnSupervision;
  /** Without them, an estimate. */
  readonly tokens?: TokenCounters;
  /** Asked at the start of each turn; without it, nobody is. */
  readonly retriever?: Retriever;
  /** Where tools work. */
  readonly roots: Roots;
  /** Places of their own for sessions that write in the background; without it, they work in the workspace itself. */
  readonly workspaces?: Workspaces;
  readonly limits?: Partial<TurnLimits & LoopLimits>;
  /** What projects and actors may use in a day; without it, they are not limited. */
  readonly budgets?: DailyBudgets;
  /** What the configuration has to run at points of a turn; without it, nothing. */
  readonly hooks?: Pick<HookGateDeps, "hooks" | "host" | "stopwatch">;
  /** What tools of a new session are kept in, for whoever knows. */
  readonly sandbox?: SessionsDeps["sandbox"];
  /** When models look back, in sessions that do not say; without it, never. */
  readonly reflection?: SessionsDeps["reflection"];
  /** What drives background work. */
  readonly engines: (turns: Turns) => readonly Engine[];
  /** Names this process to people. */
  readonly process: string;
  /** Told of what cannot be put in the log. Must not throw. */
  readonly report: (error: unknown) => void;
}

export function createServices(deps: ServicesDeps): Services {
  const models = createModels(deps.models, deps.fallbacks);
  const limits = { ...TURN_LIMITS, ...deps.limits };
  const grants = createGrants(deps);
  const questions = createQuestions(deps);
  const configured = { ...deps, ...(deps.hooks ?? NO_HOOKS) };
  const hooks = createHookGate(configured);
  const states = createStates(deps.log);
  const turns = createTurns({
    tokens: () => ESTIMATE,
    ...deps,
    states,
    models,
    limits,
    grants,
    questions,
    hooks,
    byEngine: async (id, session) => (await engines.find((one) => one.id === id)?.wake(session)) ?? false,
  });
  const engines = deps.engines(turns);
  questions.onDecided((session) => void turns.goOn(session).catch(deps.report));
  const health = createHealth({ ...deps, limits, questions });
  const sessions = createSessions({ ...deps, models, leaseMs: limits.leaseMs, made: states.made });
  const branches = createBranches({ ...deps, models, sessions });
  return {
    sessions,
    details: createDetails({ ...deps, sessions, health }),
    branches,
    comparisons: createComparisons({ ...deps, sessions }),
    offers: createOffers(deps),
    turns,
    kernel: createKernel({ ...deps, health, sessions, branches, engines }),
    health,
    questions,
    inbox: createInbox(deps),
    grants,
    tokens: createTokens(deps),
    models: createModelList(models),
    tools: createTools({ ...deps, hooks, questions, leaseMs: limits.leaseMs }),
    hooks: createHooks(configured),
    directories: createDirectories({ ...deps, sessions }),
  };
}
