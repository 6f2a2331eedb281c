import { FACE_NAMES, type FaceName, TIERS, type Tier } from "@fairlead/contract";
import { type Command, InvalidArgumentError, Option } from "commander";
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
import { connectionNotes } from "../connection-notes.ts";
import { frameLine } from "../render.ts";

interface TailOptions extends ConnectOptions, CommonOptions {
  readonly after?: number;
  readonly face?: FaceName;
  readonly tier?: Tier;
  readonly history?: "own" | "full";
  readonly follow: boolean;
}

export function tailCommand(setup: Setup): Command {
  const command = newCommand("tail", "Show the events of a session, and those to come.", [
    "tail ses_…",
    "tail all --tier default",
    "tail ses_… --after 120 --no-follow --json",
  ]);
  return connectOptions(command)
    .argument("<session>", "a session's id or alias, or `all`")
    .option("--after <cursor>", "only what comes after this number", parseCursor)
    .addOption(new Option("--face <name>", "vocabulary of the events").choices(FACE_NAMES))
    .addOption(new Option("--tier <name>", "`default` leaves out what is for debugging").choices(TIERS))
    .addOption(
      new Option("--history <extent>", "`full`: also what a branch has from its parent").choices([
        "own",
        "full",
      ]),
    )
    .option("--no-follow", "stop at the end of what is there")
    .action(patientAction(setup, tail));
}

async function tail(context: Context, session: string, options: TailOptions): Promise<void> {
  const { out, signal } = context;
  await withBackend(context, options, {}, async (backend) => {
    const { after, face, tier, history } = options;
    const many = session === "all";
    const query = { session: many ? undefined : session, after, face, tier, history };
    const follows = options.follow && backend.shared;
    const items = follows
      ? backend.follow({ ...query, signal, onState: connectionNotes(out) })
      : backend.replay(query);
    let last = after;
    for await (const { cursor, frame } of items) {
      // Across sessions the cursor is not the seq, so a script is told both.
      if (out.json) await out.value(many ? { ...frame, cursor } : frame);
      else await out.line(frameLine(frame, out, many));
      last = cursor ?? last;
      if (signal.aborted) break;
    }
    if (signal.aborted) out.note(`Go on: ${context.host.self} tail ${session} --after ${last ?? 0}`);
    if (options.follow && !follows) out.note("No server is running, so nothing more will come.");
  });
}

function parseCursor(text: string): number {
  if (!/^\d{1,16}$/.test(text)) throw new InvalidArgumentError("A cursor is a whole number.");
  return Number(text);
}
