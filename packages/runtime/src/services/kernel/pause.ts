import type { NewEvent, SessionId } from "@fairlead/contract";
import { movedEvents } from "../../domain/kernel/session-events.ts";
import type { CommandKey } from "../idempotency.ts";
import { appendBeside } from "../delegation/append.ts";
import { wordsBelow } from "../delegation/hold.ts";
import { taken } from "../refusal.ts";
import { demandParking } from "./engines.ts";
import { demandState, type KernelDeps, lastCheckpoint, load, wakeAll, whileUndriven } from "./context.ts";

interface Wish {
  readonly session: SessionId;
  readonly actor: string;
  readonly reason: string;
  readonly command?: CommandKey | undefined;
}

/** Durable when it resolves. Who drives the session hears it at the next boundary, also after a crash. */
export async function pauseSession(deps: KernelDeps, wish: Wish): Promise<void> {
  const { log, engines } = deps;
  const { session, actor, reason, command } = wish;
  const loaded = await load(deps, session);
  demandState(loaded, "pause");
  // It is so already: there is nothing to keep but the key.
  if (loaded.row.status === "paused" && command === undefined) return;
  demandParking(engines, loaded.row);
  const asked: NewEvent = {
    type: "runtime.session.pausing",
    cause: command?.cause ?? null,
    data: { session_id: session, actor, reason },
  };
  if ((await whileUndriven(deps, session, (lease) => holdNow(deps, wish, asked, lease.epoch))) === true)
    return;
  taken(await log.append({ writes: [{ stream: session, events: [asked] }], keys: keysOf(wish) }));
  // Where its engine is not installed, nobody here drives it.
  const engine = engines.find(({ id }) => id === loaded.state.engine);
  engine?.nudge(session);
  // One whose process is gone is paused by whoever takes it up.
  await engine?.wake(session).catch(deps.report);
}

/** Nobody drives it: from here on it is paused. False when it should be driven, because its process is gone. */
async function holdNow(deps: KernelDeps, wish: Wish, asked: NewEvent, epoch: number): Promise<boolean> {
  const { session, actor, reason } = wish;
  const loaded = await load(deps, session);
  const to = demandState(loaded, "pause");
  // It may have begun since.
  demandParking(deps.engines, loaded.row);
  if (to === "running") return false;
  if (loaded.row.status === "paused") {
    if (wish.command !== undefined) {
      const write = { stream: session, events: [asked], guard: { epoch } };
      taken(await deps.log.append({ writes: [write], keys: keysOf(wish) }));
    }
    return true;
  }
  const events = movedEvents({
    state: loaded.state,
    to,
    at: new Date(deps.clock.now()).toISOString(),
    after: await lastCheckpoint(deps, session),
    type: "paused",
    summary: `Paused by ${actor}: ${reason}`,
    changes: {
      resume_context: { ...loaded.state.resume_context, paused_by: actor, paused_reason: reason },
    },
  });
  const own = { stream: session, events: [asked, ...events], guard: { epoch } };
  const below = await wordsBelow(deps.log, session, { type: "runtime.session.pausing", actor, reason });
  taken(await appendBeside(deps.log, own, below, keysOf(wish)));
  await wakeAll(deps, loaded, below);
  return true;
}

function keysOf({ command }: Wish): readonly string[] {
  return command === undefined ? [] : [command.claim];
}
