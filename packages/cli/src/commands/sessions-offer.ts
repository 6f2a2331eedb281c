import type { Command } from "commander";
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
import { oneLine, printable, table } from "../text.ts";

interface OfferOptions extends ConnectOptions, CommonOptions {
  readonly patch?: boolean;
}

export function offerCommand(setup: Setup): Command {
  const command = newCommand(
    "offer",
    "Get what a session has changed, as a diff and a branch to take or leave.",
    ["sessions offer ses_…", "sessions offer ses_… --patch"],
  );
  return connectOptions(command)
    .argument("<session>", "its id or alias")
    .option("--patch", "also show the diff")
    .action(action(setup, offer));
}

async function offer(context: Context, session: string, options: OfferOptions): Promise<void> {
  const { out } = context;
  const change = await withBackend(context, options, {}, (backend) => backend.offerChange(session));
  if (out.json) return out.value(change);
  await out.line(oneLine(change.summary, 400));
  const rows = change.files.map(({ status, added, removed, path }) => [
    status,
    added === null ? "binary" : `+${added} -${removed ?? 0}`,
    oneLine(path, 200),
  ]);
  if (rows.length > 0) await out.line(table(rows, out.columns));
  if (options.patch === true) await out.line(`\n${printable(change.content)}`);
  if (change.truncated) out.note("There is more than is shown.");
  if (change.branch !== null) out.note(`\nTake it: git merge ${change.branch}`);
}
