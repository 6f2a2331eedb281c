import { HealthPolicy, type Requirement, type RouteBody } from "@fairlead/contract";
import { type Command, InvalidArgumentError, Option } from "commander";
import type { Backend } from "../backend.ts";
import {
  type CommonOptions,
  connectOptions,
  type Context,
  newCommand,
  patientAction,
  type Setup,
  withBackend,
} from "../command.ts";
import type { ConnectOptions } from "../connect.ts";
import { Failure } from "../failure.ts";
import { followWork } from "../follow-work.ts";
import { parseExpiry, parseRequirement } from "../parse.ts";
import { type SessionOptions, sessionOptions, settingsOf } from "../session-options.ts";
import { printable } from "../text.ts";

interface StartOptions extends ConnectOptions, CommonOptions, SessionOptions {
  readonly alias?: string;
  readonly project?: string;
  readonly engine?: string;
  readonly maxRetries?: number;
  readonly expires?: string;
  readonly metadata?: Record<string, unknown>;
  readonly health?: HealthPolicy;
  readonly requires?: readonly Requirement[];
  readonly follow?: boolean;
}

export function startCommand(setup: Setup): Command {
  const command = newCommand(
    "start",
    "Start background work: it goes on by itself, and survives restarts of the server.",
    [
      'sessions start "Bring the changelog up to date."',
      'sessions start "Fix the tests." --permission-mode accept_edits --max-retries 5 --follow',
      'sessions start "Watch the build." --expires 12h --project house',
      `sessions start "Mend it." --requires "command:npm test" --health '{"max_cost_usd": 2}'`,
    ],
  );
  return boundOptions(sessionOptions(connectOptions(command)))
    .argument("<task...>", "what to do")
    .option("--alias <name>", "a name of your own for it")
    .option("--project <name>", "the project it belongs to")
    .option("--engine <name>", "what drives it (default: native)")
    .addOption(new Option("--metadata <json>", "notes of your own, as a JSON object").argParser(parseObject))
    .addOption(new Option("--health <json>", "budgets that it is held to").argParser(parseHealth))
    .option(
      "--requires <check>",
      "what must be seen to hold before it is done; may be repeated",
      parseRequirement,
    )
    .option("--follow", "show how it goes, to its end")
    .action(patientAction(setup, start));
}

export function boundOptions(command: Command, expiry: (text: string) => string = parseExpiry): Command {
  return command
    .option("--max-retries <number>", "how often what may pass is tried again", parseRetries)
    .option("--expires <when>", "after this it is not begun nor gone on with: 12h, 2d, a date", expiry);
}

async function start(context: Context, words: readonly string[], options: StartOptions): Promise<number> {
  const { out, host } = context;
  const task = words.join(" ");
  if (task.trim() === "") throw new Failure("usage", "There is nothing to do.");
  const warn = (problem: string) => out.note(`Warning: ${printable(problem)}`);
  return withBackend(context, options, { creates: true, runs: true, warn }, async (backend: Backend) => {
    const row = await backend.startWork({ task, ...bodyOf(options) });
    if (options.follow === true) {
      if (!out.json) await out.line(row.session_id);
      return followWork(context, backend, row.session_id);
    }
    if (out.json) await out.value(row);
    else await out.line(row.session_id);
    out.note(
      backend.shared
        ? `It goes on by itself. See how: \`${host.self} sessions follow ${row.session_id}\``
        : `No server is running, so it waits until one is: \`${host.self} serve\`, or do it here: \`${host.self} sessions follow ${row.session_id}\``,
    );
    return 0;
  });
}

function bodyOf(options: StartOptions): Omit<RouteBody<"startSession">, "task"> {
  const { alias, project, engine, metadata, maxRetries, expires, health, requires } = options;
  const bounds = {
    alias,
    project,
    engine,
    metadata,
    max_retries: maxRetries,
    expires_at: expires,
    policy: health === undefined ? undefined : { health },
    requires,
  };
  return {
    ...settingsOf(options),
    ...Object.fromEntries(Object.entries(bounds).filter(([, value]) => value !== undefined)),
  };
}

function parseRetries(text: string): number {
  const retries = Number(text);
  if (!/^\d{1,3}$/.test(text) || retries > 100) throw new InvalidArgumentError("A number from 0 to 100.");
  return retries;
}

/** Read here, too: without a server nobody else does. */
function parseHealth(text: string): HealthPolicy {
  const read = HealthPolicy.safeParse(parseObject(text));
  if (!read.success)
    throw new InvalidArgumentError(
      `Of ${Object.keys(HealthPolicy.shape).join(", ")}; each a number it can be.`,
    );
  return read.data;
}

function parseObject(text: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value === "object" && value !== null && !Array.isArray(value))
      return value as Record<string, unknown>;
  } catch {
    // Said below.
  }
  throw new InvalidArgumentError('A JSON object, such as {"ticket": 7}.');
}
