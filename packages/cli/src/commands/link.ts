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

export function linkCommand(setup: Setup): Command {
  const command = newCommand("link", "Make a one-time link that signs a browser in.", [
    "link",
    "link --json",
  ]);
  return connectOptions(command).action(action(setup, link));
}

async function link(context: Context, options: ConnectOptions & CommonOptions): Promise<void> {
  const { out } = context;
  const made = await withBackend(context, options, {}, (backend) => backend.createLink());
  if (out.json) return out.value(made);
  await out.line(made.browser_url);
  if (made.url !== made.browser_url) out.note(`If the browser does not find it: ${made.url}`);
  out.note(`Works once, until ${new Date(made.expires_at).toTimeString().slice(0, 5)}.`);
}
