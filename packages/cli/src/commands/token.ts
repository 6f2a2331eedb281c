import { isId, ROLES, type Role, type TokenRow } from "@fairlead/contract";
import { Command, Option } from "commander";
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
import { oneLine, table } from "../text.ts";
import { ago } from "../time.ts";

interface CreateOptions extends ConnectOptions, CommonOptions {
  readonly actor: string;
  readonly role: Role;
  readonly project?: string;
  readonly label?: string;
  readonly expires?: string;
}

interface ListOptions extends ConnectOptions, CommonOptions {
  readonly all?: boolean;
}

export function tokenCommand(setup: Setup): Command {
  return new Command("token")
    .description("Make, list and revoke tokens.")
    .addCommand(createCommand(setup))
    .addCommand(listCommand(setup))
    .addCommand(revokeCommand(setup));
}

function createCommand(setup: Setup): Command {
  const command = newCommand("create", "Make a token. Its secret is shown once and kept nowhere.", [
    "token create --actor alice --role operator",
    "token create --actor ci --role agent --project website --expires 30d",
  ]);
  return connectOptions(command)
    .requiredOption("--actor <name>", "who will use it; written into the log beside what they do")
    .addOption(new Option("--role <role>", "what it may do").choices(ROLES).makeOptionMandatory())
    .option("--project <name>", "only this project")
    .option("--label <text>", "a note to yourself")
    .option("--expires <when>", "30d, 12h, 2w, or a date; without it never", parseExpiry)
    .action(action(setup, create));
}

async function create(context: Context, options: CreateOptions): Promise<void> {
  const { out } = context;
  const { actor, role, project, label, expires } = options;
  const input = { actor, role, project, label, expires_at: expires };
  const made = await withBackend(context, options, { creates: true }, (backend) =>
    backend.createToken(input),
  );
  if (out.json) return out.value(made);
  await out.line(made.secret);
  out.note(`${made.token.token_id}: ${role} for ${actor}. Keep the secret: it is not shown again.`);
}

function listCommand(setup: Setup): Command {
  const command = newCommand("list", "List the tokens, without their secrets.", [
    "token list",
    "token list --all --json",
  ]);
  return connectOptions(command)
    .option("--all", "also those that are revoked or expired")
    .action(action(setup, list));
}

async function list(context: Context, options: ListOptions): Promise<void> {
  const { out } = context;
  const all = await withBackend(context, options, {}, (backend) => backend.listTokens());
  const rows = options.all ? all : all.filter((row) => stateOf(row) === "good");
  if (out.json) return out.value({ rows });
  if (rows.length === 0) return out.note("None.");
  const cells = rows.map((row) => [
    row.token_id,
    row.role,
    oneLine(row.actor, 40),
    row.project ?? "all projects",
    row.purpose,
    stateOf(row),
    ago(row.created_at),
    oneLine(row.label ?? "", 60),
  ]);
  await out.line(table(cells, out.columns));
}

function stateOf({ revoked_at, expires_at }: TokenRow): "good" | "revoked" | "expired" {
  if (revoked_at !== null) return "revoked";
  return expires_at !== null && Date.parse(expires_at) <= Date.now() ? "expired" : "good";
}

function revokeCommand(setup: Setup): Command {
  const command = newCommand("revoke", "Revoke a token. It takes effect at once.", ["token revoke tok_…"]);
  return connectOptions(command)
    .argument("<id>", "the token's id, not its secret")
    .action(action(setup, revoke));
}

async function revoke(context: Context, id: string, options: ConnectOptions & CommonOptions): Promise<void> {
  const { out } = context;
  // Not echoed: it may be a secret that was pasted by mistake.
  if (!isId("token", id))
    throw new Failure("usage", "That is not the id of a token. `fairlead token list` shows the ids.");
  await withBackend(context, options, {}, (backend) => backend.revokeToken(id));
  if (out.json) await out.value({ token_id: id, revoked: true });
  else await out.line(`${id} is revoked.`);
}
