import { homedir } from "node:os";
import { resolve } from "node:path";
import { systemClock } from "./host/clock.ts";
import { openSandbox } from "./host/open-sandbox.ts";
import { places } from "./host/places.ts";
import { hostProcesses } from "./host/processes.ts";
import { secretPlaces } from "./host/secret-places.ts";
import { shellArgv, shellEnv } from "./host/shell-env.ts";
import { ToolsConfig } from "./host/tools-config.ts";
import { hostWeb } from "./host/web.ts";
import { hostFiles } from "./host/workspace-files.ts";
import type { Clock } from "./ports/clock.ts";
import type { Isolation } from "./ports/processes.ts";
import type { Retriever } from "./ports/retrieval.ts";
import type { Timers } from "./ports/timers.ts";
import type { ToolSource } from "./ports/tool.ts";
import { createRetriever } from "./retrieval/retriever.ts";
import { createToolGateway } from "./services/tools/gateway.ts";
import { createGuard } from "./services/tools/guard.ts";
import type { ToolGateway } from "./services/tools/types.ts";
import { builtinTools } from "./tools/builtins.ts";
import { excludesOf } from "./workspaces/git/excludes.ts";
import { findGit } from "./workspaces/git/find.ts";

export interface OpenToolsOptions {
  readonly config?: ToolsConfig | undefined;
  /** What paths of modules are relative to. */
  readonly base: string;
  readonly workspace: string;
  /** Whose secrets are hidden from commands and file tools alike; this user's unless given. */
  readonly home?: string;
  /** What no file tool reads or writes, wherever it lies: data and keys. */
  readonly hidden: readonly string[];
  /** Parts of that which have files of agents. */
  readonly open?: readonly string[];
  /** What it reads but does not write: configuration and rules. */
  readonly fixed: readonly string[];
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly clock?: Clock;
  readonly timers: Timers;
  readonly version: string;
  /** Told what is wrong with a tool or a server. Must not throw. */
  readonly report: (problem: string) => void;
}

export interface OpenedTools extends ToolGateway {
  /** What commands run in, as it is recorded. */
  readonly isolation: Isolation;
  /** Leaves out what the file tools leave out. */
  readonly retriever: Retriever;
}

const stopwatch = () => performance.now();

/** The tools of this installation. Starts no server yet. Rejects when a module of one's own cannot be used. */
export async function openTools(options: OpenToolsOptions): Promise<OpenedTools> {
  const { config = ToolsConfig.parse({}), clock = systemClock, timers, workspace, report } = options;
  const env = shellEnv(options.env);
  const { fixed, home = homedir() } = options;
  const hidden = [...options.hidden, ...secretPlaces(home)];
  const sandbox = await openSandbox({ ...config.sandbox, workspace, home, hidden: options.hidden, fixed });
  const files = hostFiles({ hidden, fixed, open: options.open ?? [] }, { excludes: excludesFor(options) });
  const retriever = createRetriever({ files, clock: systemClock });
  const builtin = builtinTools({
    files,
    retriever,
    shell: { processes: hostProcesses, sandbox, argv: shellArgv(), env },
    web: hostWeb({ allowHosts: config.web.allow_hosts }),
    clock,
  });
  const own = await Promise.all(config.modules.map((file) => moduleSource(resolve(options.base, file))));
  const servers = await Promise.all(config.mcp.map((server) => mcpServer(server, options, env)));
  const gateway = createToolGateway({
    sources: [builtin, ...own, ...servers],
    check: createGuard({
      places,
      parts: config.guard,
      report: ({ tool, reason }) => report(`The schema of ${tool} cannot be used: ${reason}`),
    }),
    timers,
    stopwatch,
    limits: { offered: config.offer_limit },
    disabled: config.disable,
    report: (problem) => report(`${problem} (workspace ${workspace})`),
  });
  return { ...gateway, isolation: sandbox.isolation, retriever };
}

/** Asked of git once, when it is first of use. */
function excludesFor({ env, workspace }: OpenToolsOptions): () => string | undefined {
  let found: { readonly file: string | undefined } | undefined;
  return () => {
    if (found === undefined) {
      const program = findGit(env["PATH"], workspace);
      found = { file: program === undefined ? undefined : excludesOf(program, env) };
    }
    return found.file;
  };
}

async function moduleSource(file: string): Promise<ToolSource> {
  const { moduleTools } = await import("./tools/user-module.ts");
  return moduleTools(file);
}

/** The protocol's library is loaded only where a server is configured. */
async function mcpServer(
  server: ToolsConfig["mcp"][number],
  { env, workspace, version, report }: OpenToolsOptions,
  baseEnv: Readonly<Record<string, string>>,
): Promise<ToolSource> {
  const { mcpSource } = await import("./tools/mcp/source.ts");
  const { name, command, url, env: given, headers_env, timeout_ms, trust_hints, reads } = server;
  const wanted = {
    name,
    timeout_ms,
    trust_hints,
    reads,
    ...(command === undefined ? {} : { command }),
    ...(url === undefined ? {} : { url }),
    ...(given === undefined ? {} : { env: given }),
    ...(headers_env === undefined ? {} : { headers_env }),
  };
  return mcpSource(wanted, { env, baseEnv, cwd: workspace, version, stopwatch, report });
}
