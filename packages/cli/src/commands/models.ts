import type { ModelRow } from "@fairlead/contract";
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
import { aboutModel } from "../model-text.ts";
import { table } from "../text.ts";

type ModelsOptions = ConnectOptions & CommonOptions;

export function modelsCommand(setup: Setup): Command {
  const command = newCommand("models", "List the models that a session can take.", [
    "models",
    "models --json",
  ]);
  return connectOptions(command).action(action(setup, models));
}

async function models(context: Context, options: ModelsOptions): Promise<void> {
  const { out } = context;
  const rows = await withBackend(context, options, { creates: true }, (backend) => backend.listModels());
  if (out.json) return out.value({ models: rows });
  await out.line(table(rows.map(cells), out.columns));
}

function cells(row: ModelRow): string[] {
  const { name, provider, model, fallback } = row;
  const role = row.default ? "default" : fallback === null ? "-" : `stands in ${fallback}`;
  return [name, `${provider}/${model}`, role, aboutModel(row)];
}
