import { APPROVAL_MODES, PERMISSION_MODES, type RouteBody, THINK_LEVELS } from "@fairlead/contract";
import { type Command, Option } from "commander";
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

type Body = RouteBody<"branchChatSession">;

interface BranchOptions extends ConnectOptions, CommonOptions {
  readonly from?: string;
  readonly cursor?: string;
  readonly title?: string;
  readonly model?: string;
  readonly permissionMode?: Body["permission_mode"];
  readonly approvalMode?: Body["approval_mode"];
  readonly think?: Body["think_level"];
  readonly instructions?: string;
}

export function branchCommand(setup: Setup): Command {
  const command = newCommand(
    "branch",
    "Go on in another way from a place in a session, in a session of its own.",
    [
      "sessions branch ses_…",
      "sessions branch ses_… --from evt_…",
      "sessions branch ses_… --cursor turn:ses_…:14 --permission-mode plan",
    ],
  );
  return connectOptions(command)
    .argument("<session>", "its id or alias")
    .addOption(new Option("--from <event>", "the last event to keep").conflicts("cursor"))
    .option("--cursor <cursor>", "a place that `sessions show` lists (default: the end)")
    .option("--title <text>", "what to call it")
    .option("--model <name>", "another model")
    .addOption(new Option("--permission-mode <mode>", "what it may do by itself").choices(PERMISSION_MODES))
    .addOption(new Option("--approval-mode <mode>", "what is asked").choices(APPROVAL_MODES))
    .addOption(new Option("--think <level>", "how much the model thinks").choices(THINK_LEVELS))
    .option("--instructions <text>", "what it is told before anything else")
    .action(action(setup, branch));
}

async function branch(context: Context, session: string, options: BranchOptions): Promise<void> {
  const { out, host } = context;
  const row = await withBackend(context, options, {}, (backend) =>
    backend.branchSession(session, bodyOf(options)),
  );
  if (out.json) return out.value(row);
  await out.line(row.session_id);
  out.note(
    `It begins at ${row.state?.branch_resume_cursor}. Go on: \`${host.self} run --session ${row.session_id} "…"\``,
  );
}

function bodyOf(options: BranchOptions): Body {
  const said = {
    from_event_id: options.from,
    resume_cursor: options.cursor,
    title: options.title,
    model: options.model,
    permission_mode: options.permissionMode,
    approval_mode: options.approvalMode,
    think_level: options.think,
    instructions: options.instructions,
  };
  return Object.fromEntries(Object.entries(said).filter(([, value]) => value !== undefined));
}
