import { resolve } from "node:path";
import {
  CONFIG_FILE,
  type LoadedConfig,
  loadConfig,
  type OpenedSupervision,
  openRuleFiles,
  openSupervision,
  type SupervisionParts,
} from "@fairlead/runtime/harness";
import { type Policies, policyFiles } from "@fairlead/runtime/policy";
import type { Logger } from "@fairlead/runtime/serve";
import type { HarnessChoice } from "../harness/choice.ts";
import type { Host } from "../host.ts";
import { firstProblem, policyDirectory } from "../policy/files.ts";

export interface SupervisionOptions {
  readonly host: Host;
  /** What the command line says; the configuration says the rest. */
  readonly choice: Pick<HarnessChoice, "config" | "policies">;
  readonly version: string;
  readonly logger: Pick<Logger, "warn">;
  /** Directories of this installation that agents must leave alone. */
  readonly own: readonly string[];
}

export interface SupervisionHere extends OpenedSupervision {
  readonly config: LoadedConfig;
}

/**
 * What supervises agents in this directory, ours and others': the rules kept up with their files, and the supervisors of
 * the configuration. Throws what says where the configuration or a rule is wrong.
 */
export async function openSupervisionHere(
  parts: SupervisionParts,
  options: SupervisionOptions,
): Promise<SupervisionHere> {
  const { host, choice, version, logger } = options;
  const config = loadConfig({
    cwd: host.cwd,
    ...(choice.config === undefined ? {} : { file: choice.config }),
  });
  const policies = await rulesFor(parts, options, config.policies);
  try {
    const opened = await openSupervision(parts, {
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
    });
    return {
      ...opened,
      config,
      async close() {
        policies.close();
        await opened.close();
      },
    };
  } catch (error) {
    policies.close();
    throw error;
  }
}

/** Where rules are, and where they would be at the next start. */
function rulePlaces(host: Host, configured: string | undefined): string[] {
  const now = policyDirectory(host, configured);
  return configured === undefined ? [now, resolve(host.cwd, "policies")] : [now];
}

/** The rules of the directory that all commands mean, kept up with their files. */
async function rulesFor(
  { log, report }: SupervisionParts,
  { host, choice, logger }: SupervisionOptions,
  configured: string | undefined,
): Promise<Policies> {
  const directory = policyDirectory(host, choice.policies ?? configured);
  const opened = await openRuleFiles({
    log,
    source: policyFiles({ directories: [directory] }),
    onRefused: (errors) => logger.warn({ err: firstProblem(errors) }, "the rules in force stay"),
    report,
  });
  if (opened.ok) return opened.policies;
  throw firstProblem(opened.errors);
}
