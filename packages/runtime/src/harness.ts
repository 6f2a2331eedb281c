// The Agent Harness Protocol for foreign agents, put together over a runtime. Apart from the root, because few need it.
import { given } from "./domain/given.ts";
import type { Runtime } from "./create-runtime.ts";
import { createHarness, type Harness } from "./harness/create-harness.ts";
import type { FileConfig } from "./host/config-file.ts";
import type { OpenedSupervision } from "./open-supervision.ts";

export type { Harness } from "./harness/create-harness.ts";
export { bridge } from "./harness/bridge.ts";
export type { Listening, ListenOptions, Mounted } from "./harness/listen.ts";
export { listen, mount, serveParent } from "./harness/listen.ts";
export { openRuleFiles } from "./harness/rule-files.ts";
export type { FileConfig, LoadedConfig } from "./host/config-file.ts";
export { CONFIG_FILE, loadConfig, parseAddress } from "./host/config-file.ts";
export type { OpenedSupervision, OpenSupervisionOptions, SupervisionParts } from "./open-supervision.ts";
export { defaultSupervision, openSupervision, ownSupervisionFor } from "./open-supervision.ts";

export interface OpenHarnessOptions {
  readonly runtime: Runtime;
  readonly config: Pick<FileConfig, "harness">;
  /** Shared with runs of our own. Who opened it closes it, after the harness has stopped. */
  readonly supervision: OpenedSupervision;
  readonly version: string;
  /** Must not throw. */
  readonly report: (error: unknown) => void;
}

export function openHarness({
  runtime,
  config: { harness },
  supervision,
  version,
  report,
}: OpenHarnessOptions): Harness {
  const { log, services, clock, ids, timers } = runtime;
  const { rules, externals, guards, workspace } = supervision;
  return createHarness(
    { log, services, clock, ids, timers, rules, externals, guards, report },
    {
      version,
      timeoutMs: harness.timeout_ms,
      workspace,
      limits: {
        ...(harness.hold_ms === undefined ? {} : { answerMs: harness.hold_ms }),
        ...(harness.retry_after_ms === undefined ? {} : { retryAfterMs: harness.retry_after_ms }),
        ...(harness.approval_expires_ms === undefined ? {} : { expireMs: harness.approval_expires_ms }),
        ...(harness.limits === undefined
          ? {}
          : {
              maxInFlight: harness.limits.in_flight,
              maxHeld: harness.limits.held,
              maxOpen: harness.limits.open_approvals,
            }),
        ...supervision.limits,
      },
      heartbeat: given({ missed: harness.heartbeat?.missed, assumedMs: harness.heartbeat?.interval_ms }),
    },
  );
}
