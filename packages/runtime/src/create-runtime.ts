import { randomBytes } from "node:crypto";
import { realpathSync } from "node:fs";
import { homedir, hostname } from "node:os";
import type { Reflection } from "@fairlead/contract";
import { drain } from "./drain.ts";
import { ESTIMATE } from "./domain/context/estimate.ts";
import { type DelegationSettings, delegationLimits } from "./domain/delegation/limits.ts";
import type { DailyBudgets } from "./domain/budget/day.ts";
import type { LoopLimits } from "./domain/loop/next.ts";
import { PROJECTIONS } from "./domain/projections.ts";
import { nativeEngine } from "./engines/native.ts";
import { sandboxState } from "./domain/sandbox.ts";
import { systemClock } from "./host/clock.ts";
import { randomSecret, systemIds } from "./host/ids.ts";
import { hostPaths, real } from "./host/paths.ts";
import { places as hostPlaces } from "./host/places.ts";
import { readScriptFile } from "./host/script-file.ts";
import { loadSealKey } from "./host/seal-key.ts";
import { secretPlaces } from "./host/secret-places.ts";
import { systemTimers } from "./host/timers.ts";
import type { ToolsConfig } from "./host/tools-config.ts";
import type { WorkspacesChoice } from "./host/workspaces-config.ts";
import { createEventLog } from "./log/event-log.ts";
import { createRedactor } from "./log/redact.ts";
import { createSealer } from "./log/seal.ts";
import { parseScript } from "./models/script.ts";
import { tokenCounters } from "./models/tokens.ts";
import { scriptedModel } from "./models/scripted.ts";
import {
  defaultSupervision,
  type OpenedSupervision,
  ownSupervisionFor,
  type SupervisionParts,
} from "./open-supervision.ts";
import { openHooks, type OpenHooksOptions } from "./open-hooks.ts";
import { type OpenedTools, openTools } from "./open-tools.ts";
import { openPlaces } from "./open-workspaces.ts";
import type { Clock } from "./ports/clock.ts";
import type { EventLog } from "./ports/event-log.ts";
import type { Ids } from "./ports/ids.ts";
import type { LogStore } from "./ports/log-store.ts";
import type { Model } from "./ports/model.ts";
import type { Timers } from "./ports/timers.ts";
import type { Workspaces } from "./ports/workspaces.ts";
import { createServices, type ServicesDeps } from "./services/create-services.ts";
import { createRoots } from "./services/workspaces/roots.ts";
import type { TurnLimits } from "./services/turn/limits.ts";
import type { ToolGateway } from "./services/tools/types.ts";
import type { Services } from "./services/types.ts";
import { directRecovery } from "./workers/direct-recovery.ts";
import { healthWatch } from "./workers/health-watch.ts";
import { kernelExpiry } from "./workers/kernel-expiry.ts";
import { questionExpiry } from "./workers/question-expiry.ts";
import { turnRecovery } from "./workers/turn-recovery.ts";

type Environment = Readonly<Record<string, string | undefined>>;

/** `sqlite`: the data directory. `postgres`: a connection URL. */
export type StoreChoice = "memory" | { readonly sqlite: string } | { readonly postgres: string };

export interface RuntimeOptions {
  readonly store: StoreChoice;
  /** The first is the one a session gets when it names none. Without any: the scripted one. */
  readonly models?: readonly Model[];
  /** Names of those that stand in for one that fails, in order. */
  readonly fallbacks?: readonly string[];
  /** Without it: the tools that come along. */
  readonly tools?: ToolsConfig;
  /** Whether each turn begins with a look at what the workspace has for it. Without it: no. */
  readonly retrieval?: { readonly auto: boolean };
  /** When models look back at their work, in sessions that do not say. Without it: never. */
  readonly reflection?: Reflection;
  /** What is run at points of a turn, and what its paths are relative to. Without it: nothing. */
  readonly hooks?: Pick<OpenHooksOptions, "hooks" | "base">;
  /** Opens what supervises runs and agents; without it: the rules that come along, and nobody outside. */
  readonly supervise?: (parts: SupervisionParts) => Promise<OpenedSupervision>;
  /** Told to servers of tools. */
  readonly version?: string;
  /** How our own commands are called, for the scripted model that names them. */
  readonly self?: string;
  /** 32 bytes. Without one: from the environment or the file in the config directory; for `memory` a new one. */
  readonly sealKey?: Buffer;
  /** What agents work in; this directory unless given. Where it is given, the key's file must not lie there. */
  readonly workspace?: string;
  /** Where background work writes. Without it: in places of its own, whose files are kept for a week. */
  readonly workspaces?: WorkspacesChoice;
  /** What agents are supervised with, and no tool writes to: configuration, rules. */
  readonly fixed?: readonly string[];
  /** Secrets of one's own to redact: regular expression sources. */
  readonly redact?: readonly string[];
  readonly limits?: Partial<TurnLimits & LoopLimits>;
  /** What projects and actors may use in a day. Without it: as much as they like. */
  readonly budgets?: DailyBudgets;
  /** How far work is delegated, and what a sub-agent gets. */
  readonly delegation?: DelegationSettings;
  /** Wraps the log for everyone who uses it, such as to measure it. */
  readonly observe?: (log: EventLog) => EventLog;
  /** Told of what goes wrong where nobody waits for an answer. Must not throw. */
  readonly report?: (error: unknown) => void;
  /** Told, in a sentence, what is wrong with a tool or a server of tools; without it, `report` is. Must not throw. */
  readonly warn?: (problem: string) => void;
  readonly env?: Environment;
  readonly clock?: Clock;
  readonly ids?: Ids;
  readonly timers?: Timers;
  /** Names this process to people. */
  readonly process?: string;
}

export interface Runtime {
  readonly log: EventLog;
  readonly services: Services;
  readonly tools: ToolGateway;
  readonly supervision: OpenedSupervision;
  /** Places of their own for sessions that write in the background. */
  readonly workspaces: Workspaces | undefined;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly timers: Timers;
  /** For messages: which store it is. */
  readonly store: string;
  /** Lets a second process that wants the same store know where this one answers. */
  announce(url: string): void;
  /** Ends what a process before this one left open, and begins to expire questions. */
  start(): Promise<void>;
  /**
   * Takes up nothing more, and hands turns over to other processes as each comes to the end of what it does now. Resolves
   * when nothing is under way any more, or after so long. To be followed by `stop`.
   */
  drain(graceMs: number): Promise<void>;
  /** Ends turns under way, each recorded, waits for appends, and releases the store. May be called again. */
  stop(reason?: string): Promise<void>;
}

/** The engine, put together. The only file that knows every folder. */
export async function createRuntime(options: RuntimeOptions): Promise<Runtime> {
  const { env = process.env, clock = systemClock, timers = systemTimers, report = () => {} } = options;
  const ids = options.ids ?? systemIds(clock);
  const warn = options.warn ?? ((problem: string) => report(new Error(problem)));
  const models = options.models ?? [defaultModel(env, options.self)];
  const redactor = createRedactor({ patterns: options.redact });
  const sealer = createSealer(options.sealKey ?? sealKeyFor(options, env));
  const store = await openStore(options.store, clock);
  const bare = createEventLog({ store, clock, ids, redactor, sealer, report, projections: PROJECTIONS });
  const log = options.observe?.(bare) ?? bare;
  const process_ = options.process ?? `${hostname()}:${process.pid}`;
  const workspace = realpathSync(options.workspace ?? process.cwd());
  const parts = { log, clock, ids, timers, report };
  const places = openPlaces(options, { env, clock, home: homedir(), own: ownPlaces(options, env) });
  let supervision: OpenedSupervision;
  let tools: OpenedTools;
  try {
    supervision = await (options.supervise ?? ((given) => standardSupervision(given, options, workspace)))(
      parts,
    );
    tools = await openTools({
      config: options.tools,
      base: workspace,
      workspace,
      hidden: [...ownPlaces(options, env), ...(places?.dirs ?? [])],
      open: places?.dirs ?? [],
      fixed: options.fixed ?? [],
      env,
      clock,
      timers,
      version: options.version ?? "",
      report: warn,
    });
  } catch (error) {
    await log.close();
    throw error;
  }
  const services = createServices({
    tools,
    supervision: ownSupervisionFor(supervision, parts),
    sandbox: () => sandboxState(tools.isolation),
    tokens: tokenCounters(ESTIMATE),
    ...(options.retrieval?.auto === true ? { retriever: tools.retriever } : {}),
    roots: createRoots({
      roots: [workspace, ...rootsOf(options)],
      hidden: [...ownPlaces(options, env), ...(places?.dirs ?? []), ...secretPlaces(homedir())],
      places: hostPlaces,
    }),
    ...(places === undefined ? {} : { workspaces: places.workspaces }),
    ...(options.reflection === undefined ? {} : { reflection: options.reflection }),
    ...hooksFor(options, workspace, env),
    ...(options.budgets === undefined ? {} : { budgets: options.budgets }),
    ...(options.fallbacks === undefined ? {} : { fallbacks: options.fallbacks }),
    log,
    clock,
    ids,
    timers,
    redactor,
    models,
    limits: { ...delegationLimits(options.delegation ?? {}), ...options.limits },
    secret: randomSecret,
    engines: (turns) => [nativeEngine(turns)],
    process: process_,
    report,
  });
  // Nobody waits for what these find: how sessions fare, and what can be cleaned up.
  const leisurely = [
    healthWatch({ health: services.health, clock, timers, report }),
    ...(places === undefined ? [] : [places.cleaner({ log, ids, clock, timers, report })]),
  ];
  const workers = [
    turnRecovery({ turns: services.turns, shared: log.shared, clock, timers, report }),
    questionExpiry({ questions: services.questions, clock, timers, report }),
    kernelExpiry({ kernel: services.kernel, clock, timers, report }),
    directRecovery({ tools: services.tools, questions: services.questions, clock, timers, report }),
  ];

  async function shutDown(reason: string): Promise<void> {
    for (const worker of [...workers, ...leisurely]) await worker.stop();
    await Promise.all([services.turns.stop(reason), services.tools.stop()]);
    await tools.close();
    await supervision.close();
    await log.close();
  }

  let stopping: Promise<void> | undefined;
  return {
    log,
    services,
    tools,
    supervision,
    workspaces: places?.workspaces,
    clock,
    ids,
    timers,
    store: store.name,
    announce: (url) => store.announce?.(url),
    async start() {
      // Servers are reached before the first turn wants them. Nobody waits for it here.
      void tools.ready();
      for (const problem of await services.hooks.problems()) warn(problem);
      for (const worker of workers) await worker.start();
      for (const worker of leisurely) void worker.start();
    },
    drain: (graceMs) => drain({ workers, turns: services.turns, timers }, graceMs),
    stop: (reason = "The server stopped before the turn ended.") => (stopping ??= shutDown(reason)),
  };
}

/** Where sessions may be started, beside the workspace itself. One that is not there yet is named where it would be. */
function rootsOf({ workspaces }: RuntimeOptions): string[] {
  return (workspaces?.roots ?? []).map(real);
}

function hooksFor(options: RuntimeOptions, workspace: string, env: Environment): Pick<ServicesDeps, "hooks"> {
  const { hooks } = options;
  if (hooks === undefined || hooks.hooks.length === 0) return {};
  const [, keys] = ownPlaces(options, env);
  return { hooks: openHooks({ ...hooks, workspace, keys, env }) };
}

function standardSupervision(
  parts: SupervisionParts,
  options: RuntimeOptions,
  workspace: string,
): Promise<OpenedSupervision> {
  return defaultSupervision(parts, {
    workspace,
    home: homedir(),
    controls: options.fixed ?? [],
    warn: () => {},
  });
}

/** Where this installation keeps its data and its keys. */
function ownPlaces({ store }: RuntimeOptions, env: Environment): string[] {
  if (store === "memory") return [];
  const data = "sqlite" in store ? { FAIRLEAD_DATA: store.sqlite } : {};
  const paths = hostPaths({ env: { ...env, ...data }, cwd: process.cwd(), home: homedir() });
  return [paths.data, paths.config];
}

/** Each store is loaded only when it is used: a driver nobody needs costs start-up time. */
async function openStore(
  choice: StoreChoice,
  clock: Clock,
): Promise<LogStore & { announce?(url: string): void }> {
  if (choice === "memory") {
    const { openMemoryStore } = await import("./stores/memory/open.ts");
    return openMemoryStore({ clock });
  }
  if ("sqlite" in choice) {
    const { openSqliteStore } = await import("./stores/sqlite/open.ts");
    return openSqliteStore({ dir: choice.sqlite, clock });
  }
  const { openPostgresStore } = await import("./stores/postgres/open.ts");
  return openPostgresStore({ url: choice.postgres });
}

function sealKeyFor(options: RuntimeOptions, env: Environment): Buffer {
  const { store } = options;
  if (store === "memory") return randomBytes(32);
  const data = typeof store === "object" && "sqlite" in store ? { FAIRLEAD_DATA: store.sqlite } : {};
  return loadSealKey({
    env,
    config() {
      const paths = (workspace: string | undefined) =>
        hostPaths({ env: { ...env, ...data }, cwd: process.cwd(), home: homedir(), workspace });
      // Keys lie in no directory that agents may work in.
      for (const root of rootsOf(options)) paths(root);
      return paths(options.workspace).config;
    },
  });
}

function defaultModel(env: Environment, self = "fairlead"): Model {
  const file = readScriptFile(env);
  return file === undefined
    ? scriptedModel({ self })
    : scriptedModel({ script: parseScript(file.text, file.path) });
}
