import type { HealthyRow, RouteBody } from "@fairlead/contract";
import { type Command, Option } from "commander";
import type { Backend } from "../backend.ts";
import {
  action,
  type CommonOptions,
  connectOptions,
  type Context,
  newCommand,
  type Setup,
  withBackend,
} from "../command.ts";
import type { ConnectOptions } from "../connect.ts";
import { Failure } from "../failure.ts";
import { parseExpiryOrNone } from "../parse.ts";
import { type SessionOptions, sessionOptions, settingsOf } from "../session-options.ts";
import { boundOptions } from "./sessions-start.ts";

interface ControlOptions extends ConnectOptions, CommonOptions {
  readonly reason?: string;
}

interface ResumeOptions extends ControlOptions, SessionOptions {
  readonly from?: string;
  readonly cursor?: string;
  readonly say?: string;
  readonly maxRetries?: number;
  readonly expires?: string;
}

interface PolicyOptions extends ConnectOptions, CommonOptions {
  readonly health?: string;
  readonly maxRetries?: number;
  readonly expires?: string;
}

type Control = (backend: Backend, session: string, reason: string | undefined) => Promise<HealthyRow>;

export function pauseCommand(setup: Setup): Command {
  return controlCommand(
    setup,
    "pause",
    "Let background work wait. What runs at this moment is finished first.",
    (b, s, r) => b.pauseWork(s, r),
  );
}

export function cancelWorkCommand(setup: Setup): Command {
  return controlCommand(setup, "cancel", "End background work for good.", (b, s, r) => b.cancelWork(s, r));
}

export function acceptCommand(setup: Setup): Command {
  return controlCommand(setup, "accept", "Say that work that needs review is good as it is.", (b, s, r) =>
    b.acceptWork(s, r),
  );
}

function controlCommand(setup: Setup, name: string, about: string, control: Control): Command {
  return connectOptions(newCommand(name, about, [`sessions ${name} ses_… --reason "Not today."`]))
    .argument("<session>", "its id or alias")
    .option("--reason <text>", "for whoever reads the log")
    .action(
      action(setup, async (context: Context, session: string, options: ControlOptions) => {
        const row = await withBackend(context, options, {}, (backend) =>
          control(backend, session, options.reason),
        );
        await show(
          context,
          row,
          name === "pause" && row.status === "running" ? "It waits from its next step on." : undefined,
        );
      }),
    );
}

export function resumeCommand(setup: Setup): Command {
  const command = newCommand(
    "resume",
    "Go on with background work; with a place in it, as a branch that begins there.",
    [
      "sessions resume ses_…",
      'sessions resume ses_… --say "The key is mended."',
      "sessions resume ses_… --cursor checkpoint:ses_…:14 --model openai/gpt-5",
    ],
  );
  return boundOptions(sessionOptions(connectOptions(command)))
    .argument("<session>", "its id or alias")
    .option("--say <text>", "told to it")
    .option("--reason <text>", "for whoever reads the log")
    .addOption(new Option("--from <event>", "branch: the last event to keep").conflicts("cursor"))
    .option("--cursor <cursor>", "branch: a place that `sessions show` lists")
    .action(
      action(setup, async (context: Context, session: string, options: ResumeOptions) => {
        const row = await withBackend(context, options, { runs: true }, (backend) =>
          backend.resumeWork(session, resumeBody(options)),
        );
        await show(context, row, `See how: \`${context.host.self} sessions follow ${row.session_id}\``);
      }),
    );
}

export function policyCommand(setup: Setup): Command {
  const command = newCommand("policy", "Change what background work is held to. What is left out stays.", [
    "sessions policy ses_… --max-retries 5",
    'sessions policy ses_… --health \'{"max_cost_usd": 2, "max_total_tokens": null}\'',
    "sessions policy ses_… --health none",
    "sessions policy ses_… --expires none",
  ]);
  return boundOptions(connectOptions(command), parseExpiryOrNone)
    .argument("<session>", "its id or alias")
    .option("--health <json>", "budgets to set, null to take one away; or `none`")
    .action(
      action(setup, async (context: Context, session: string, options: PolicyOptions) => {
        const row = await withBackend(context, options, {}, (backend) =>
          backend.setPolicy(session, policyBody(options)),
        );
        await show(context, row);
      }),
    );
}

function resumeBody(options: ResumeOptions): RouteBody<"resumeSession"> {
  const { from, cursor, say, reason, maxRetries, expires } = options;
  const more = {
    from_event_id: from,
    resume_cursor: cursor,
    input: say,
    reason,
    max_retries: maxRetries,
    expires_at: expires,
  };
  return { ...settingsOf(options), ...said(more) };
}

function policyBody({ health, maxRetries, expires }: PolicyOptions): RouteBody<"setSessionPolicy"> {
  return said({
    health: health === undefined ? undefined : health === "none" ? null : parsed(health),
    max_retries: maxRetries,
    expires_at: expires === "none" ? null : expires,
  });
}

function parsed(text: string): NonNullable<RouteBody<"setSessionPolicy">["health"]> {
  try {
    return JSON.parse(text) as never;
  } catch {
    throw new Failure("usage", "--health takes a JSON object, or `none`.");
  }
}

/** Only what was given. */
function said<T extends object>(values: T): { [K in keyof T]?: Exclude<T[K], undefined> } {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined)) as never;
}

async function show({ out }: Context, row: HealthyRow, note?: string): Promise<void> {
  if (out.json) return out.value(row);
  await out.line(`${row.session_id}  ${row.status}`);
  if (note !== undefined) out.note(note);
}
