import type { HealthyRow, SessionId, SessionRow } from "@fairlead/contract";
import type { Actor } from "../../domain/actor.ts";
import { expiresAt } from "../../domain/kernel/background.ts";
import type { Engine } from "../../ports/engine.ts";
import { type CommandKey, commandKey, firstResult } from "../idempotency.ts";
import { badRequest, demand } from "../refusal.ts";
import { acceptSession } from "./accept.ts";
import { branchSession } from "./branch.ts";
import { cancelSession } from "./cancel.ts";
import { backgroundSession, heldSession, type KernelDeps } from "./context.ts";
import { engineRows } from "./engines.ts";
import { createExpiry } from "./expiry.ts";
import { pauseSession } from "./pause.ts";
import { changePolicy } from "./policy.ts";
import { resumeSession } from "./resume.ts";
import { startSession } from "./start.ts";
import type { Kernel } from "./types.ts";

const UNSAID = "no reason given";

export function createKernel(deps: KernelDeps): Kernel {
  const { log, sessions, report, health } = deps;
  const listeners = new Set<(due: number) => void>();

  const healthy = async (row: SessionRow): Promise<HealthyRow> => ({ ...row, health: await health.of(row) });

  async function read(actor: Actor, ref: string): Promise<HealthyRow> {
    return healthy(await sessions.get(actor, ref));
  }

  /** After what nobody need drive it for: how it fares now is said here. */
  async function readSaid(actor: Actor, session: SessionId): Promise<HealthyRow> {
    await health.record(session).catch(report);
    return read(actor, session);
  }

  /** It is on record: that nobody could take it up at once is no failure of who asked for it. */
  async function takeUp(engine: Engine, session: SessionId): Promise<void> {
    await engine.wake(session).catch(report);
  }

  function announce({ state }: SessionRow): void {
    const due = expiresAt(state ?? {});
    if (Number.isFinite(due)) for (const listener of listeners) listener(due);
  }

  /** A repetition of the same command is answered as the first was. */
  async function once(
    command: CommandKey | undefined,
    work: (command: CommandKey | undefined) => Promise<void>,
  ): Promise<void> {
    if ((await firstResult(log, command)) !== undefined) return;
    try {
      await work(command);
    } catch (error) {
      // The same command came twice at once, and the other was first: what refuses this one is what that one did.
      if ((await firstResult(log, command)) === undefined) throw error;
    }
  }

  return {
    healthy,
    ...createExpiry(deps),
    onExpiry(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    async start(actor, input) {
      const { row, engine } = await startSession(deps, actor, input);
      announce(row);
      await takeUp(engine, row.session_id);
      return read(actor, row.session_id);
    },
    engines: () => engineRows(deps.engines),
    async pause(actor, ref, reason = UNSAID, idempotencyKey) {
      demand(actor, "turn.cancel");
      const session = await backgroundSession(log, actor, ref);
      const key = keyOf(actor, idempotencyKey, { command: "session.pause", session, reason });
      await once(key, (command) => pauseSession(deps, { session, actor: actor.name, reason, command }));
      return readSaid(actor, session);
    },
    async resume(actor, ref, input = {}) {
      demand(actor, "session.control");
      if (input.input?.trim() === "") throw badRequest("`input` must say something.");
      const session = await backgroundSession(log, actor, ref);
      if (input.from_event_id === undefined && input.resume_cursor === undefined) {
        const { idempotencyKey, ...body } = input;
        const key = keyOf(actor, idempotencyKey, { command: "session.resume", session, ...body });
        await once(key, (command) => resumeSession(deps, { session, actor, input, command }));
        return read(actor, session);
      }
      const { row, engine } = await branchSession(deps, actor, session, input);
      announce(row);
      await takeUp(engine, row.session_id);
      return read(actor, row.session_id);
    },
    async cancel(actor, ref, reason = UNSAID) {
      demand(actor, "turn.cancel");
      const session = await backgroundSession(log, actor, ref);
      await cancelSession(deps, { session, actor: actor.name, reason });
      return readSaid(actor, session);
    },
    async accept(actor, ref, reason = UNSAID) {
      demand(actor, "session.control");
      const session = await backgroundSession(log, actor, ref);
      await acceptSession(deps, { session, actor: actor.name, reason });
      return readSaid(actor, session);
    },
    async setPolicy(actor, ref, change) {
      demand(actor, "session.control");
      const session = await heldSession(log, actor, ref, change);
      await changePolicy(deps, session, actor.name, change);
      const row = await readSaid(actor, session);
      announce(row);
      return row;
    },
    async list(actor, query) {
      const page = await sessions.list(actor, query);
      return { ...page, rows: await Promise.all(page.rows.map(healthy)) };
    },
  };
}

function keyOf(actor: Actor, key: string | undefined, command: unknown): CommandKey | undefined {
  return key === undefined ? undefined : commandKey(actor, key, command);
}
