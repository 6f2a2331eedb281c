import type { SessionId } from "@fairlead/contract";
import type { EndTurn } from "../../domain/turn-decide.ts";
import { type Drive, turnOf } from "../loop/context.ts";

/** The sessions of sub-agents that work for the open turn. */
export function workingChildren(drive: Pick<Drive, "journal">): readonly SessionId[] {
  return turnOf(drive).calls.flatMap(({ stage }) => (stage.at === "away" ? [stage.session_id] : []));
}

/** Ends all that was delegated, and theirs, and has the journal hear of it. */
export async function stopChildren(
  { journal, children }: Pick<Drive, "journal" | "children">,
  working: readonly SessionId[],
  command: EndTurn,
): Promise<void> {
  const why =
    command.kind === "complete" ? "" : ((command.kind === "fail" ? command.code : command.reason) ?? "");
  const reason = `The session that delegated it has ended its turn${why === "" ? "" : `: ${why}`}.`;
  await Promise.all(working.map((session) => children.stop(session, reason)));
  await journal.catchUp();
}
