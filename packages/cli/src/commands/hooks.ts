import type { HookRow } from "@fairlead/contract";
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
import { oneLine, table } from "../text.ts";
import { showHookCommand, trustOf } from "./hooks-show.ts";
import { trustCommand, untrustCommand } from "./hooks-trust.ts";

type HooksOptions = ConnectOptions & CommonOptions;

export function hooksCommand(setup: Setup): Command {
  const command = newCommand(
    "hooks",
    "List what the configuration runs at points of a turn, and who trusts it.",
    ["hooks", "hooks show no-force-push", "hooks trust no-force-push"],
  );
  return (
    connectOptions(command)
      .action(action(setup, hooks))
      .addCommand(showHookCommand(setup))
      .addCommand(trustCommand(setup))
      .addCommand(untrustCommand(setup))
      // Else its options would be taken from its own commands.
      .enablePositionalOptions()
  );
}

async function hooks(context: Context, options: HooksOptions): Promise<void> {
  const { out } = context;
  const rows = await withBackend(context, options, { creates: true }, (backend) => backend.listHooks());
  if (out.json) return out.value({ rows });
  if (rows.length === 0) return out.note("The configuration has none. docs/hooks.md says how to write one.");
  await out.line(table(rows.map(cells), out.columns));
  for (const { name, problem } of rows) if (problem !== null) out.note(`${name}: ${oneLine(problem, 500)}`);
}

function cells(row: HookRow): string[] {
  const { name, on, tools, blocking, hash } = row;
  return [
    name,
    `${on}${tools === null ? "" : ` ${tools.join(",")}`}`,
    blocking ? "blocking" : "-",
    hash === null ? "-" : hash.slice(0, 12),
    trustOf(row),
  ];
}
