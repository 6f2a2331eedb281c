import type { RouteBody } from "@fairlead/contract";
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
import { type SessionOptions, sessionOptions, settingsOf } from "../session-options.ts";

interface BranchOptions extends ConnectOptions, CommonOptions, SessionOptions {
  readonly from?: string;
  readonly cursor?: string;
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
  return sessionOptions(connectOptions(command))
    .argument("<session>", "its id or alias")
    .addOption(new Option("--from <event>", "the last event to keep").conflicts("cursor"))
    .option("--cursor <cursor>", "a place that `sessions show` lists (default: the end)")
    .action(action(setup, branch));
}

async function branch(context: Context, session: string, options: BranchOptions): Promise<void> {
  const { out, host } = context;
  const row = await withBackend(context, options, {}, (backend) =>
    backend.branchSession(session, bodyOf(options)),
  );
  if (out.json) return out.value(row);
  await out.line(row.session_id);
  if (row.state?.workspace) out.note(`Its files are as they were there: ${row.state.workspace}`);
  out.note(
    `It begins at ${row.state?.branch_resume_cursor}. Go on: \`${host.self} run --session ${row.session_id} "…"\``,
  );
}

function bodyOf({ from, cursor, ...options }: BranchOptions): RouteBody<"branchChatSession"> {
  return {
    ...settingsOf(options),
    ...(from === undefined ? {} : { from_event_id: from }),
    ...(cursor === undefined ? {} : { resume_cursor: cursor }),
  };
}
