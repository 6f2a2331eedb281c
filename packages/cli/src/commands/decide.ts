import { text as readAll } from "node:stream/consumers";
import { type QuestionRow, SCOPE_KINDS } from "@fairlead/contract";
import { type Command, Option } from "commander";
import type { Backend, QuestionDecision } from "../backend.ts";
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
import { parseExpiry } from "../parse.ts";
import { answerDecision, optionsOf } from "../question-answer.ts";
import { oneLine } from "../text.ts";

interface DecideOptions extends ConnectOptions, CommonOptions {
  readonly note?: string;
}

interface ApproveOptions extends DecideOptions {
  readonly answer?: string;
  readonly edit?: string;
  readonly scope?: (typeof SCOPE_KINDS)[number];
  readonly pattern?: string;
  readonly expires?: string;
}

export function approveCommand(setup: Setup): Command {
  const command = newCommand(
    "approve",
    "Say yes to what waits for a decision; without an id, see what does.",
    [
      "approve",
      "approve apr_…",
      "approve apr_… --scope session",
      "approve apr_… --scope pattern --pattern 'shell: git status*' --expires 7d",
      `approve apr_… --edit '{"command":"git push"}'`,
    ],
  );
  return connectOptions(command)
    .argument("[id]", "as `fairlead approvals` shows it; without it all that wait, one by one at a terminal")
    .option("--note <text>", "for whoever reads the log")
    .option("--answer <text>", "to a question that asks for one: an option it shows, JSON, or plain text")
    .option("--edit <json>", "the arguments to use instead; - reads them from standard input")
    .addOption(
      new Option("--scope <scope>", "how far the yes reaches; without it this call alone").choices(
        SCOPE_KINDS,
      ),
    )
    .option("--pattern <text>", "what it allows there; without it what `fairlead approvals show` suggests")
    .option("--expires <when>", "30d, 12h, 2w, or a date: when it ends", parseExpiry)
    .action(action(setup, approve));
}

async function approve(context: Context, id: string | undefined, options: ApproveOptions): Promise<void> {
  const { answer, edit, note, scope, pattern, expires } = options;
  if (id === undefined) {
    if ([answer, edit, note, scope, pattern, expires].some((given) => given !== undefined))
      throw new Failure("usage", "Say which one: what is decided is named by its id.");
    const { decideWaiting } = await import("./decide-waiting.ts");
    return decideWaiting(context, options);
  }
  const kind = scope ?? "call";
  if (answer !== undefined) {
    if (edit !== undefined || kind !== "call")
      throw new Failure("usage", "--answer goes with neither --edit nor --scope.");
    return decide(context, id, options, async (backend) => answered(await backend.getQuestion(id), answer));
  }
  if (kind === "call" && (pattern ?? expires) !== undefined)
    throw new Failure("usage", "--pattern and --expires go with --scope turn, session or pattern.");
  if (edit !== undefined && kind !== "call")
    throw new Failure("usage", "A yes to changed arguments is for this call alone: leave --scope out.");
  if (edit !== undefined) return decide(context, id, options, async () => edited(edit));
  return decide(context, id, options, async (backend) => {
    if (kind === "call") return { decision: "approved" };
    const allowed = pattern ?? (await suggested(backend, id));
    return { decision: "approved", scope: { kind, pattern: allowed, expires_at: expires } };
  });
}

function answered(row: QuestionRow, given: string): QuestionDecision {
  const decision = answerDecision(row, given);
  if (decision !== undefined) return decision;
  const names = optionsOf(row.shown).map(({ outcome }) => outcome);
  throw new Failure(
    "usage",
    names.length > 0 ? `The answer is one of: ${names.join(", ")}.` : "The answer is empty.",
  );
}

/** Sent as if it were typed: what is saved is what was to be seen. */
async function suggested(backend: Backend, id: string): Promise<string> {
  const { pattern } = await backend.getQuestion(id);
  if (pattern !== undefined) return pattern;
  throw new Failure(
    "usage",
    "No pattern is suggested for this. Give one with --pattern, or leave --scope out.",
  );
}

export function denyCommand(setup: Setup): Command {
  const command = newCommand("deny", "Say no to what waits for a decision.", [
    "deny apr_…",
    'deny apr_… --note "Not on a Friday."',
  ]);
  return connectOptions(command)
    .argument("<id>", "as `fairlead approvals` shows it")
    .option("--note <text>", "the agent is told this")
    .action(
      action(setup, (context, id: string, options: DecideOptions) =>
        decide(context, id, options, async () => ({ decision: "denied" })),
      ),
    );
}

async function edited(given: string): Promise<QuestionDecision> {
  const json = given === "-" ? await readAll(process.stdin) : given;
  try {
    return { decision: "edited", edited: JSON.parse(json) as unknown };
  } catch (error) {
    throw new Failure("usage", `--edit is not JSON: ${(error as Error).message}`);
  }
}

async function decide(
  context: Context,
  id: string,
  options: DecideOptions,
  decision: (backend: Backend) => Promise<QuestionDecision>,
): Promise<void> {
  const { out } = context;
  const { note } = options;
  const row = await withBackend(context, options, {}, async (backend) =>
    backend.decideQuestion(id, { ...(await decision(backend)), note }),
  );
  if (out.json) return out.value(row);
  await out.line(told(row));
  const { scope, grant_id } = row;
  if (scope?.pattern === undefined) return;
  const until = scope.expires_at === undefined ? `this ${scope.kind}` : scope.expires_at;
  await out.line(`${grant_id} allows ${oneLine(scope.pattern, 200)} until ${until}`);
  out.note(`\`${context.host.self} approvals revoke ${grant_id}\` takes it back.`);
}

function told({ request_id, state, tool_name, reason }: QuestionRow): string {
  return `${request_id} is ${state}: ${oneLine(`${tool_name}: ${reason}`, 200)}`;
}
