import {
  type Runtime,
  type RuntimeOptions,
  type StoreChoice,
  createRuntime,
} from "../../src/create-runtime.ts";
import { ToolsConfig } from "../../src/host/tools-config.ts";
import type { EventLog } from "../../src/ports/event-log.ts";
import { SEAL_KEY } from "../support/world.ts";

export type Observe = (log: EventLog) => EventLog;

/** What a process runs that is killed, and the one that goes on: what a process lost is found soon, and words are written at once. */
export async function openCrashScene(
  store: StoreChoice,
  workspace: string,
  observe: Observe | undefined,
  own: Pick<RuntimeOptions, "models"> & Partial<RuntimeOptions>,
): Promise<Runtime> {
  return createRuntime({
    store,
    workspace,
    sealKey: SEAL_KEY,
    env: {},
    tools: ToolsConfig.parse({}),
    limits: { callTries: 1, leaseMs: 500, deltaMs: 1 },
    ...(observe === undefined ? {} : { observe }),
    ...own,
  });
}
