import type { Command } from "commander";
import {
  type CommonOptions,
  connectOptions,
  type Context,
  newCommand,
  patientAction,
  type Setup,
  withBackend,
} from "../command.ts";
import type { ConnectOptions } from "../connect.ts";
import { Failure } from "../failure.ts";
import { followWork } from "../follow-work.ts";

type FollowOptions = ConnectOptions & CommonOptions;

export function followCommand(setup: Setup): Command {
  const command = newCommand(
    "follow",
    "Show how background work goes, to its end: 0 when it is completed, 1 when not, 3 when it waits.",
    ["sessions follow ses_…", "sessions follow ses_… --json"],
  );
  return connectOptions(command)
    .argument("<session>", "its id or alias")
    .action(
      patientAction(setup, async (context: Context, session: string, options: FollowOptions) =>
        withBackend(context, options, { runs: true }, async (backend) => {
          const { kind, session_id } = await backend.getSession(session);
          if (kind !== "background")
            throw new Failure("usage", `${session_id} does no background work. See it: \`fairlead tail\``);
          return followWork(context, backend, session_id);
        }),
      ),
    );
}
