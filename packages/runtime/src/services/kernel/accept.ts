import type { NewEvent, SessionId } from "@fairlead/contract";
import { movedEvents } from "../../domain/kernel/session-events.ts";
import { taken } from "../refusal.ts";
import { demandState, eventually, type KernelDeps, lastCheckpoint, load, whileUndriven } from "./context.ts";

interface Word {
  readonly session: SessionId;
  readonly actor: string;
  readonly reason: string;
}

/** On record when it resolves. Under the lease: somebody else may want it to go on in the same moment. */
export async function acceptSession(deps: KernelDeps, word: Word): Promise<void> {
  const { session } = word;
  demandState(await load(deps, session), "accept");
  await eventually(deps, () => whileUndriven(deps, session, (lease) => accept(deps, word, lease.epoch)));
}

async function accept(deps: KernelDeps, { session, actor, reason }: Word, epoch: number): Promise<true> {
  const loaded = await load(deps, session);
  const accepted: NewEvent = {
    type: "runtime.session.accepted",
    data: { session_id: session, actor, reason },
  };
  const events = movedEvents({
    state: loaded.state,
    to: demandState(loaded, "accept"),
    at: new Date(deps.clock.now()).toISOString(),
    after: await lastCheckpoint(deps, session),
    type: "completed",
    summary: `Accepted by ${actor}: ${reason}`,
  });
  const write = { stream: session, events: [accepted, ...events], guard: { epoch } };
  taken(await deps.log.append({ writes: [write] }));
  return true;
}
