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
    "tail all --after 0",
    "tail ses_… --after 120 --no-follow --json",
  ]);
  return connectOptions(command)
    .argument("<session>", "a session's id or alias, or `all`")
    .option(
      "--after <cursor>",
      "only what comes after this number; without it a session is shown from its beginning, and `all` from now on",
      parseCursor,
    )
    .addOption(new Option("--face <name>", "vocabulary of the events").choices(FACE_NAMES))
    .addOption(new Option("--tier <name>", "`default` leaves out what is for debugging").choices(TIERS))
    .addOption(
      new Option("--history <extent>", "`full`: also what a branch has from its parent").choices([
        "own",
        "full",
      ]),
    )
    .option("--no-follow", "show what is there, of `all` too, and stop where it ended when this began")
    .action(patientAction(setup, tail));
}

async function tail(context: Context, session: string, options: TailOptions): Promise<void> {
  const { out, signal } = context;
  await withBackend(context, options, {}, async (backend) => {
    const { after, face, tier, history } = options;
    const many = session === "all";
    const query = { session: many ? undefined : session, after, face, tier, history };
    const follows = options.follow && backend.shared;
    let last = after;
    const items = follows
      ? backend.follow({
          ...query,
          after: after ?? (many ? "latest" : 0),
          signal,
          onState: connectionNotes(out),
          onCursor: (cursor) => (last = cursor),
        })
      : backend.replay(query);
    for await (const { cursor, frame } of items) {
      // Across sessions the cursor is not the seq, so a script is told both.
      if (out.json) await out.value(many ? { ...frame, cursor } : frame);
      else await out.line(frameLine(frame, out, many));
      last = cursor ?? last;
      if (signal.aborted) break;
    }
    // Nothing was seen and the end not told yet: there is nothing to go on from.
    const where = last === undefined ? "" : ` --after ${last}`;
    if (signal.aborted) out.note(`Go on: ${context.host.self} tail ${session}${where}`);
    if (options.follow && !follows) out.note("No server is running, so nothing more will come.");
  });
}

function parseCursor(text: string): number {
  if (!/^\d{1,16}$/.test(text)) throw new InvalidArgumentError("A cursor is a whole number.");
  return Number(text);
}
