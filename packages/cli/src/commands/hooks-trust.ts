import { createInterface } from "node:readline/promises";
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
import { Failure } from "../failure.ts";
import { printHook } from "./hooks-show.ts";

interface TrustOptions extends ConnectOptions, CommonOptions {
  readonly hash?: string;
  readonly yes?: boolean;
}

export function trustCommand(setup: Setup): Command {
  const command = newCommand(
    "trust",
    "Show what a hook runs, and trust exactly that. It runs until it changes.",
    ["hooks trust no-force-push", "hooks trust no-force-push --hash 3f1c…"],
  );
  return connectOptions(command)
    .argument("<name>", "as `fairlead hooks` lists it")
    .option("--hash <hash>", "only if it is still what has this hash; nothing is asked")
    .option("--yes", "without asking: trusts what is there now, seen or not")
    .action(action(setup, trust));
}

async function trust(context: Context, name: string, options: TrustOptions): Promise<void> {
  const { out, host } = context;
  const hook = await withBackend(context, options, { creates: true }, (backend) => backend.getHook(name));
  if (!out.json) await printHook(out, hook);
  // The store is not held while a person reads: the hash says whether it is still what they saw.
  const asks = options.hash === undefined && options.yes !== true && hook.hash !== null;
  if (asks && !(await agrees(name)))
    throw new Failure("not_trusted", "Nothing was trusted.", {
      hint: `To trust what is shown here: ${host.self} hooks trust ${name} --hash ${hook.hash}`,
    });
  // What cannot be run has no hash, and is refused by whoever keeps the trust, in their words.
  const hash = options.hash ?? hook.hash ?? "0".repeat(64);
  const row = await withBackend(context, options, {}, (backend) => backend.trustHook(name, hash));
  if (out.json) return out.value(row);
  await out.line(`\n${name} is trusted as ${row.hash}.`);
}

/** Only a person at a terminal can be asked. */
async function agrees(name: string): Promise<boolean> {
  const { stdin, stderr } = process;
  if (!stdin.isTTY || !stderr.isTTY) return false;
  const lines = createInterface({ input: stdin, output: stderr });
  try {
    return /^(y|yes)$/i.test((await lines.question(`\nTrust ${name} as shown? y or n: `)).trim());
  } finally {
    lines.close();
  }
}

export function untrustCommand(setup: Setup): Command {
  const command = newCommand(
    "untrust",
    "Trust a hook no more. It is not run again; one that blocks then blocks.",
    ["hooks untrust no-force-push"],
  );
  return connectOptions(command)
    .argument("<name>", "as `fairlead hooks` lists it")
    .action(action(setup, untrust));
}

async function untrust(
  context: Context,
  name: string,
  options: ConnectOptions & CommonOptions,
): Promise<void> {
  const { out } = context;
  await withBackend(context, options, { creates: true }, (backend) => backend.untrustHook(name));
  if (out.json) await out.value({ name, trusted: false });
  else await out.line(`${name} is trusted no more.`);
}
