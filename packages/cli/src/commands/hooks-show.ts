import type { HookRow, RouteReply } from "@fairlead/contract";
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
import type { Output } from "../output.ts";
import { oneLine, printable } from "../text.ts";
import { ago } from "../time.ts";

type Shown = RouteReply<"getHook">;

export function showHookCommand(setup: Setup): Command {
  const command = newCommand("show", "Show what a hook runs, with the text of its files.", [
    "hooks show no-force-push",
  ]);
  return connectOptions(command)
    .argument("<name>", "as `fairlead hooks` lists it")
    .action(action(setup, show));
}

async function show(context: Context, name: string, options: ConnectOptions & CommonOptions): Promise<void> {
  const { out } = context;
  const hook = await withBackend(context, options, { creates: true }, (backend) => backend.getHook(name));
  if (out.json) return out.value(hook);
  await printHook(out, hook);
}

/** All that is bound by its hash. */
export async function printHook(out: Output, hook: Shown): Promise<void> {
  const all = facts(hook);
  const width = Math.max(...all.map(([name]) => name.length));
  for (const [name, value] of all) await out.line(`${out.dim(name.padEnd(width))}  ${oneLine(value, 2_000)}`);
  for (const { path, bytes, sha256, text } of hook.files) {
    await out.line(`\n${out.bold(oneLine(path, 500))} ${out.dim(`${bytes} bytes, sha256 ${sha256}`)}`);
    await out.line(text === null ? out.dim("(no text)") : printable(text).replace(/\n$/, ""));
  }
}

function facts(hook: Shown): [string, string][] {
  const { name, on, tools, command, module, blocking, timeout_ms, program, hash, problem } = hook;
  const all: [string, string | null][] = [
    ["hook", name],
    ["on", on],
    ["tools", tools?.join(" ") ?? null],
    ["command", command === null ? null : JSON.stringify(command)],
    ["module", module],
    ["program", program === null ? null : `${program} (bound by its place, not by its bytes)`],
    ["blocking", blocking ? "yes: when it says no or fails, things stop" : "no: it is only recorded"],
    ["timeout", `${timeout_ms} ms`],
    ["problem", problem],
    ["hash", hash],
    ["trust", trustOf(hook)],
  ];
  return all.flatMap(([label, value]) => (value === null ? [] : [[label, value]]));
}

/** By whom and when, or why not. */
export function trustOf({ state, trusted_by, trusted_at }: HookRow): string {
  const by = `${oneLine(trusted_by ?? "", 40)}, ${trusted_at === null ? "" : ago(trusted_at)}`;
  switch (state) {
    case "trusted":
      return `trusted by ${by}`;
    case "changed":
      return `changed since it was trusted by ${by}`;
    case "untrusted":
      return "never trusted";
    case "unusable":
      return "cannot be run";
  }
}
