import { resolve } from "node:path";
import type { Runtime } from "@fairlead/runtime";
import {
  CONFIG_FILE,
  type Harness,
  listen,
  type Listening,
  loadConfig,
  mount,
  type Mounted,
  openHarness,
  openRuleFiles,
  parseAddress,
} from "@fairlead/runtime/harness";
import { type Policies, policyFiles } from "@fairlead/runtime/policy";
import type { Logger } from "@fairlead/runtime/serve";
import { Failure } from "../failure.ts";
import type { Host } from "../host.ts";
import { firstProblem, policyDirectory } from "../policy/files.ts";
import type { HarnessChoice } from "./choice.ts";

export interface OpenedHarness {
  readonly harness: Harness;
  readonly mounted: Mounted;
  readonly agent: string;
  /** Stops looking after the rules, and closes what was opened to ask others. */
  close(): Promise<void>;
  /** Opens the listeners of its own. */
  listen(): Promise<Listening>;
}

export interface OpenOptions {
  readonly runtime: Runtime;
  readonly host: Host;
  readonly choice: HarnessChoice;
  /** Used when neither the command line nor the configuration names a socket. */
  readonly defaultSocket?: string;
  readonly version: string;
  readonly report: (error: unknown) => void;
  readonly logger: Pick<Logger, "warn">;
  /** Directories of this installation that agents must leave alone. */
  readonly own: readonly string[];
}

/** The harness as this directory has it. Throws what says where the configuration is wrong. */
export async function openHarnessHere(options: OpenOptions): Promise<OpenedHarness> {
  const { runtime, host, choice, version, report, logger } = options;
  const config = loadConfig({
    cwd: host.cwd,
    ...(choice.config === undefined ? {} : { file: choice.config }),
  });
  const policies = await rulesFor(options, config.policies);
  const harness = openHarness({
    runtime,
    config,
    policy: policies.current,
    version,
    env: host.env,
    workspace: host.cwd,
    home: host.home,
    controls: [
      ...rulePlaces(host, choice.policies ?? config.policies),
      resolve(host.cwd, choice.config ?? CONFIG_FILE),
      ...options.own,
    ],
    warn: (text) => logger.warn(text),
    report,
  });
  await harness.start();
  const mounted = await mount(harness);
  const unix =
    (choice.unix === undefined ? undefined : resolve(host.cwd, choice.unix)) ??
    config.harness.unix ??
    options.defaultSocket;
  const http = choice.http === undefined ? config.harness.http : addressOf(choice.http);
  const websocket = choice.ws === undefined ? config.harness.websocket : addressOf(choice.ws);
  const agent = choice.as ?? config.harness.agent;
  return {
    harness,
    mounted,
    agent,
    async close() {
      policies.close();
      await harness.stop();
    },
    async listen() {
      try {
        return await listen(harness, {
          localAgent: agent,
          ...(unix === undefined ? {} : { unix }),
          ...(http === undefined ? {} : { http }),
          ...(websocket === undefined ? {} : { websocket }),
        });
      } catch (error) {
        const { code, message } = error as NodeJS.ErrnoException;
        throw new Failure(code === "EADDRINUSE" ? "port_in_use" : "cannot_listen", message, { cause: error });
      }
    },
  };
}

/** Where rules are, and where they would be at the next start. */
function rulePlaces(host: Host, configured: string | undefined): string[] {
  const now = policyDirectory(host, configured);
  return configured === undefined ? [now, resolve(host.cwd, "policies")] : [now];
}

/** The rules of the directory that all commands mean, kept up with their files. */
async function rulesFor(options: OpenOptions, configured: string | undefined): Promise<Policies> {
  const { runtime, host, choice, report, logger } = options;
  const directory = policyDirectory(host, choice.policies ?? configured);
  const opened = await openRuleFiles({
    log: runtime.log,
    source: policyFiles({ directories: [directory] }),
    onRefused: (errors) => logger.warn({ err: firstProblem(errors) }, "the rules in force stay"),
    report,
  });
  if (opened.ok) return opened.policies;
  throw firstProblem(opened.errors);
}

function addressOf(text: string): { host: string; port: number } {
  if (!/^(\[[0-9a-fA-F:.]+\]|[^\s:[\]]+):\d{1,5}$/.test(text))
    throw new Failure("usage", `${text} is not HOST:PORT.`);
  return parseAddress(text);
}
