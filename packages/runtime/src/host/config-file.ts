import { existsSync, readFileSync } from "node:fs";
import { dirname, isAbsolute, resolve } from "node:path";
import { LineCounter, parseDocument } from "yaml";
import { z } from "zod";
import { ActorName, Reflection } from "@fairlead/contract";
import { BudgetsConfig } from "./budgets-config.ts";
import { DelegationConfig } from "./delegation-config.ts";
import { ConfigError } from "./config-error.ts";
import { HooksConfig } from "./hooks/hooks-config.ts";
import { MODEL_FIELDS } from "./model-config.ts";
import { patternProblem } from "./redact-patterns.ts";
import { SuperviseConfig } from "./supervise-config.ts";
import { ToolsConfig } from "./tools-config.ts";
import { WorkspacesConfig } from "./workspaces-config.ts";

const most = z.int().min(1).max(100_000);
const duration = z
  .int()
  .min(1)
  .max(7 * 24 * 3_600_000);
const amount = z.number().positive().optional();

/** `HOST:PORT`; an IPv6 address in brackets. */
const address = z
  .string()
  .regex(/^(\[[0-9a-fA-F:.]+\]|[^\s:[\]]+):\d{1,5}$/, "Write HOST:PORT.")
  .transform(parseAddress);

/** The questions that an external supervisor can be asked. */
const QUESTIONS = [
  "pre_action",
  "pre_prompt",
  "idle",
  "intent_detection",
  "context_perception",
  "memory_recall",
  "planning",
  "reasoning",
  "rate_limit",
  "confirmation",
] as const;

const SupervisorConfig = z
  .strictObject({
    name: z
      .string()
      .regex(
        /^[a-z0-9][a-z0-9._-]{0,63}$/,
        "A name has small letters, digits, dots, dashes and underscores.",
      ),
    /** http, https, ws, wss or unix:/path. */
    url: z.string().optional(),
    /** Started by us and spoken to over its standard input and output. */
    command: z.array(z.string().min(1)).min(1).optional(),
    /** The environment variable that holds its bearer token, or its API key. Never the secret itself. */
    token_env: z.string().optional(),
    api_key_env: z.string().optional(),
    on: z.array(z.enum(QUESTIONS)).min(1).default(["pre_action", "pre_prompt"]),
    timeout_ms: duration.default(2_000),
    /** `block` refuses when it gives no answer; `allow` leaves the decision to the others. */
    on_failure: z.enum(["block", "allow"]).default("block"),
  })
  .refine(
    ({ url, command }) => (url === undefined) !== (command === undefined),
    "Give `url` or `command`, one of them.",
  )
  .refine(({ name }) => name !== "fairlead" && name !== "rules", "This name is taken.");

const HarnessConfig = z
  .strictObject({
    unix: z.string().min(1).optional(),
    http: address.optional(),
    websocket: address.optional(),
    /** Who speaks on the socket and on stdio, where no token is asked for. */
    agent: ActorName.default("local"),
    /** How long agents are told to wait. */
    timeout_ms: duration.default(10_000),
    /** How long an answer is held for a person; a little below `timeout_ms` unless given. */
    hold_ms: duration.optional(),
    retry_after_ms: duration.optional(),
    /** Approvals expire after this; without it they stay open. */
    approval_expires_ms: duration.optional(),
    /** What agents work in: rules about paths look at it. */
    workspace: z.string().min(1).optional(),
    budget: z
      .strictObject({ tokens: amount, cost_usd: amount, actions: amount, duration_ms: amount })
      .optional(),
    limits: z
      .strictObject({
        /** Questions of one agent under way at once, and of these how many wait for a person. */
        in_flight: most.default(1_024),
        held: most.default(256),
        /** Approvals of one session that may be open. */
        open_approvals: most.default(100),
      })
      .optional(),
    heartbeat: z
      .strictObject({ missed: z.int().min(1).max(100).optional(), interval_ms: duration.optional() })
      .optional(),
    circuit: z
      .strictObject({ failures: z.int().min(1).default(5), pause_ms: duration.default(10_000) })
      .optional(),
  })
  .refine(({ hold_ms, timeout_ms }) => hold_ms === undefined || hold_ms < timeout_ms, {
    path: ["hold_ms"],
    message: "Must be below timeout_ms: agents stop waiting then.",
  });

/** A regular expression for secrets of one's own: each match is replaced before it is stored. */
const pattern = z
  .string()
  .min(1)
  .superRefine((source, { addIssue }) => {
    const message = patternProblem(source);
    if (message !== undefined) addIssue({ code: "custom", message });
  });

const Config = z.strictObject({
  redact: z.array(pattern).max(200).default([]),
  /** Where the rules are, relative to this file. */
  policies: z.string().min(1).optional(),
  supervisors: z.array(SupervisorConfig).default([]),
  harness: HarnessConfig.prefault({}),
  supervise: SuperviseConfig.prefault({}),
  tools: ToolsConfig.prefault({}),
  workspaces: WorkspacesConfig.prefault({}),
  /** What is run at points of a turn, once a person trusts it. */
  hooks: HooksConfig.default([]),
  /** What turns ask a person expires after this time, and is then denied; without it, it stays open. */
  approvals: z.strictObject({ expires_ms: duration.optional() }).prefault({}),
  /** `auto`: each turn begins with the passages of the workspace that fit its request. */
  retrieval: z.strictObject({ auto: z.boolean().default(false) }).prefault({}),
  /** When models look back at their work, in sessions that do not say. */
  reflection: Reflection.optional(),
  delegation: DelegationConfig.prefault({}),
  /** What may be used in a day, UTC, over all sessions. */
  budgets: BudgetsConfig.optional(),
  ...MODEL_FIELDS,
});

export type FileConfig = z.output<typeof Config>;
export type SupervisorEntry = FileConfig["supervisors"][number];

export const CONFIG_FILE = "fairlead.yaml";

export interface LoadedConfig extends FileConfig {
  /** Undefined when there is none, and these are the defaults. */
  readonly file: string | undefined;
}

/** The configuration of this directory, or of the file that was named. Throws ConfigError with file, line and column. */
export function loadConfig({ cwd, file }: { readonly cwd: string; readonly file?: string }): LoadedConfig {
  const path = resolve(cwd, file ?? CONFIG_FILE);
  if (file === undefined && !existsSync(path)) return { ...Config.parse({}), file: undefined };
  let text: string;
  try {
    text = readFileSync(path, "utf8");
  } catch (error) {
    throw new ConfigError(`Cannot read ${path}: ${(error as Error).message}`, "Name another with --config.");
  }
  return { ...placed(parseConfig(text, path), dirname(path)), file: path };
}

/** Paths in the file are relative to it. */
function placed(config: FileConfig, base: string): FileConfig {
  const at = (path: string | undefined) =>
    path === undefined || isAbsolute(path) ? path : resolve(base, path);
  const { harness, policies, tools, models, workspaces } = config;
  const directory = at(workspaces.directory);
  const [unix, workspace, rules] = [at(harness.unix), at(harness.workspace), at(policies)];
  return {
    ...config,
    ...(rules === undefined ? {} : { policies: rules }),
    workspaces: {
      ...workspaces,
      roots: workspaces.roots.map((root) => resolve(base, root)),
      ...(directory === undefined ? {} : { directory }),
    },
    tools: { ...tools, modules: tools.modules.map((file) => resolve(base, file)) },
    models: models.map((model) =>
      model.script === undefined ? model : { ...model, script: resolve(base, model.script) },
    ),
    harness: {
      ...harness,
      ...(unix === undefined ? {} : { unix }),
      ...(workspace === undefined ? {} : { workspace }),
    },
  };
}

const HINT = "docs/harness.md has an example with every setting.";

function parseConfig(text: string, path: string): FileConfig {
  const lines = new LineCounter();
  const document = parseDocument(text, { lineCounter: lines, prettyErrors: false, uniqueKeys: true });
  const [problem] = document.errors;
  if (problem !== undefined) throw at(problem.pos[0], problem.message);
  const read = Config.safeParse(document.toJS({ maxAliasCount: 100 }) ?? {});
  if (!read.success) {
    const [issue] = read.error.issues;
    throw at(offsetOf(issue?.path ?? []), `${issue?.path.join(".") || "the file"}: ${issue?.message}`);
  }
  const names = read.data.supervisors.map(({ name }) => name);
  const twice = names.findIndex((name, i) => names.indexOf(name) !== i);
  if (twice !== -1)
    throw at(offsetOf(["supervisors", twice, "name"]), `There are two supervisors ${names[twice]}.`);
  return read.data;

  /** Where the value is, or the nearest thing around it that is there. */
  function offsetOf(steps: readonly PropertyKey[]): number {
    for (let length = steps.length; length > 0; length--) {
      const node = document.getIn(steps.slice(0, length), true) as
        | { range?: [number, number, number] }
        | undefined;
      if (node?.range !== undefined) return node.range[0];
    }
    return 0;
  }

  function at(offset: number, message: string): ConfigError {
    const { line, col } = lines.linePos(offset);
    return new ConfigError(`${path}:${line || 1}:${col || 1}: ${message}`, HINT);
  }
}

export function parseAddress(text: string): { host: string; port: number } {
  const split = text.lastIndexOf(":");
  return { host: text.slice(0, split).replace(/^\[|\]$/g, ""), port: Number(text.slice(split + 1)) };
}
