import { onTestFinished } from "vitest";
import type { HealthPolicy } from "@fairlead/contract";
import type { Step } from "../../src/models/script.ts";
import type { StartSession } from "../../src/services/kernel/types.ts";
import { openSqliteStore } from "../../src/stores/sqlite/open.ts";
import { model, type Stage, stage } from "../kernel/support.ts";
import { temporaryFolder } from "../stores.ts";
import { handTime, type WorldOptions } from "../support/world.ts";

export interface Held extends WorldOptions {
  readonly health?: HealthPolicy;
  readonly rounds?: readonly (readonly Step[])[];
  readonly start?: Partial<StartSession>;
}

/** Background work under a policy, over a real SQLite file. */
export async function held({ health, rounds, start, ...options }: Held): Promise<Stage> {
  const folder = temporaryFolder();
  const time = options.time ?? handTime();
  const store = options.store ?? openSqliteStore({ dir: folder.path, clock: time.clock });
  const play = await stage(
    { store, time, ...(rounds === undefined ? {} : { models: [model(...rounds)] }), ...options },
    { ...(health === undefined ? {} : { policy: { health } }), ...start },
  );
  onTestFinished(async () => {
    await play.w.services.turns.stop("The test is over.");
    await play.w.log.close();
    folder.remove();
  });
  return play;
}

export async function snapshots(play: Stage): Promise<readonly Record<string, unknown>[]> {
  return play.data("runtime.health.snapshot");
}
