import { Command } from "commander";
import { action, type CommonOptions, type Context, newCommand, type Setup } from "../command.ts";
import type { ExplainOptions } from "./policy-explain.ts";

const DIRECTORY =
  "a directory with rule files (default: the configured one, ./policies, or those that come along)";

/** What rules are read with is loaded only where they are: every command would wait for it. */
export function policyCommand(setup: Setup): Command {
  return new Command("policy")
    .description("Check, test and explain rules.")
    .addCommand(checkCommand(setup))
    .addCommand(testCommand(setup))
    .addCommand(explainCommand(setup));
}

function checkCommand(setup: Setup): Command {
  return newCommand("check", "Say whether the rules of a directory are good, and where they are not.", [
    "policy check",
    "policy check ./policies --json",
  ])
    .argument("[dir]", DIRECTORY)
    .action(
      action(setup, async (context: Context, dir: string | undefined, _options: CommonOptions) =>
        (await import("./policy-check.ts")).check(context, dir),
      ),
    );
}

function testCommand(setup: Setup): Command {
  return newCommand("test", "Run the cases beside the rules: every *.test.yaml of a directory.", [
    "policy test",
    "policy test ./policies --json",
  ])
    .argument("[dir]", DIRECTORY)
    .action(
      action(setup, async (context: Context, dir: string | undefined, _options: CommonOptions) =>
        (await import("./policy-test.ts")).test(context, dir),
      ),
    );
}

function explainCommand(setup: Setup): Command {
  return newCommand("explain", "Say what the rules decide about an event, and why.", [
    "policy explain event.json",
    `policy explain - <<< '{"event_type":"pre_action","payload":{"tool_name":"shell","arguments":{"command":"git push -f"}}}'`,
  ])
    .argument("<event>", "a JSON file with an event, or - for standard input")
    .option("--policies <dir>", "rules (default: the configured ones, ./policies, or those that come along)")
    .option("--workspace <dir>", "what the agent works in (default: this directory)")
    .action(
      action(setup, async (context: Context, file: string, options: ExplainOptions) =>
        (await import("./policy-explain.ts")).explain(context, file, options),
      ),
    );
}
