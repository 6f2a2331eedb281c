import { Command } from "commander";
import type { Setup } from "../command.ts";
import { serveModelCommand } from "./model-serve.ts";

export function modelCommand(setup: Setup): Command {
  return new Command("model")
    .description("The scripted model, for other programs.")
    .addCommand(serveModelCommand(setup));
}
