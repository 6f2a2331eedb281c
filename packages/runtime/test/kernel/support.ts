import type { AnyEvent, HealthyRow, SessionId, SessionStatus } from "@fairlead/contract";
import { expect } from "vitest";
import type { Step } from "../../src/models/script.ts";
import { scriptedModel } from "../../src/models/scripted.ts";
import type { StartSession } from "../../src/services/kernel/types.ts";
import { ADA, look, writer } from "../golden/scene.ts";
import { type World, type WorldOptions, everything, settle, world } from "../support/world.ts";

export { ADA };

/** A world in which background work is done by hand. */
export interface Stage {
  readonly w: World;
  readonly session: SessionId;
  readonly first: HealthyRow;
  row(): Promise<HealthyRow>;
  /** Waits until the session is in one of these states. */
  until(...statuses: readonly SessionStatus[]): Promise<HealthyRow>;
  events(): Promise<readonly AnyEvent[]>;
  data(type: string): Promise<readonly Record<string, unknown>[]>;
  /** Every state it was said to be in, without repetition. */
  statuses(): Promise<readonly unknown[]>;
  checkpoints(): Promise<readonly unknown[]>;
  /** Decides the only open question. */
  decide(decision: "approved" | "denied"): Promise<void>;
}

export const LOOK: Step = { call: "look", with: { what: "door" } };
export const CHANGE: Step = { call: "change", with: { what: "flag" } };
export const DONE: Step = { say: "All done." };

export function model(...rounds: readonly (readonly Step[])[]) {
  return scriptedModel({ script: { rules: [{ rounds: rounds.map((round) => [...round]) }] } });
}

/** Fails so many times, then works. */
export function shaky(times: number, failing: Step, ...rest: readonly Step[]) {
  const rule = { at_first: Array.from({ length: times }, () => [failing]), do: [...rest] };
  return scriptedModel({ script: { rules: [rule] } });
}

export const BUSY: Step = { fail: "The model is out.", status: 500 };
export const REFUSED: Step = { fail: "No such key.", status: 401 };

export async function stage(options: WorldOptions = {}, input: Partial<StartSession> = {}): Promise<Stage> {
  const w = world({ tools: [look, writer], models: [model([DONE])], ...options });
  return staged(w, await w.services.kernel.start(ADA, { task: "Paint the fence.", ...input }));
}

export function staged(w: World, first: HealthyRow): Stage {
  const session = first.session_id;
  const { kernel, sessions, questions } = w.services;
  const row = async () => kernel.healthy(await sessions.get(ADA, session));
  const events = () => everything(w.log, session);
  const data = async (type: string) =>
    (await events())
      .filter((event) => event.type === type)
      .map((event) => event.data as Record<string, unknown>);
  return {
    w,
    session,
    first,
    row,
    events,
    data,
    async until(...statuses) {
      for (let i = 0; i < 500; i++) {
        await settle();
        const now = await row();
        if (statuses.includes(now.status)) {
          await settle();
          return row();
        }
        await new Promise<void>((resolve) => void setTimeout(resolve, 1));
      }
      throw new Error(`It is ${(await row()).status}: ${(await events()).map(({ type }) => type).join(" ")}`);
    },
    async statuses() {
      const all = (await data("runtime.session.state")).map(({ status }) => status);
      return all.filter((status, i) => status !== all[i - 1]);
    },
    checkpoints: async () =>
      (await data("runtime.session.checkpoint")).map(({ checkpoint_type }) => checkpoint_type),
    async decide(decision) {
      const { rows } = await questions.list(ADA, { state: "pending", session_id: session });
      expect(rows).toHaveLength(1);
      await questions.decide(ADA, rows[0]?.request_id ?? "", { decision });
      await settle();
    },
  };
}
