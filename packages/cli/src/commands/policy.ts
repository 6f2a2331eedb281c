import { Command } from "commander";
import type { Setup } from "../command.ts";
import { checkCommand } from "./policy-check.ts";
import { explainCommand } from "./policy-explain.ts";
import { testCommand } from "./policy-test.ts";

export function policyCommand(setup: Setup): Command {
  return new Command("policy")
    .description("Check, test and explain rules.")
    .addCommand(checkCommand(setup))
    .addCommand(testCommand(setup))
    .addCommand(explainCommand(setup));
}
