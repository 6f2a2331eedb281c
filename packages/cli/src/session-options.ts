import {
  APPROVAL_MODES,
  type ApprovalMode,
  PERMISSION_MODES,
  type PermissionMode,
  type Reflection,
  type RouteBody,
  THINK_LEVELS,
  type ThinkLevel,
} from "@fairlead/contract";
import { type Command, Option } from "commander";
import { parseReflection } from "./parse.ts";

/** How a session works, as every command that makes or changes one is told. */
export interface SessionOptions {
  readonly title?: string;
  readonly model?: string;
  readonly permissionMode?: PermissionMode;
  readonly approvalMode?: ApprovalMode;
  readonly think?: ThinkLevel;
  readonly instructions?: string;
  readonly reflect?: Reflection;
}

export function sessionOptions(command: Command): Command {
  return command
    .option("--title <text>", "title of the session")
    .option("--model <name>", "model, or PROVIDER/MODEL")
    .addOption(new Option("--permission-mode <mode>", "what it may do by itself").choices(PERMISSION_MODES))
    .addOption(new Option("--approval-mode <mode>", "what is asked of a person").choices(APPROVAL_MODES))
    .addOption(new Option("--think <level>", "how much the model thinks").choices(THINK_LEVELS))
    .option("--instructions <text>", "what the agent is told before anything else")
    .option("--reflect <when>", "when it looks back: finish, failures:3, both, or off", parseReflection);
}

/** Only what was said. */
export function settingsOf(options: SessionOptions): RouteBody<"configureChatSession"> {
  const { title, model, permissionMode, approvalMode, think, instructions, reflect } = options;
  const chosen = {
    title,
    model,
    permission_mode: permissionMode,
    approval_mode: approvalMode,
    think_level: think,
    instructions,
    reflection: reflect,
  };
  return Object.fromEntries(Object.entries(chosen).filter(([, value]) => value !== undefined));
}
