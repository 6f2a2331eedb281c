import { expect, test } from "vitest";
import type { EventLog } from "../../src/ports/event-log.ts";
import { createMetrics, observedLog } from "../../src/server/metrics.ts";
import { delta } from "./support.ts";

test("counting appends does not make the events that nobody asked for", async () => {
  const metrics = createMetrics({ process: false });
  const log = {
    async append() {
      return {
        ok: true,
        get events(): never {
          throw new Error("decoded");
        },
      };
    },
  } as unknown as EventLog;
  const observed = observedLog(log, metrics);
  const writes = [
    { stream: "ses_1", events: [delta("a"), delta("b")] },
    { stream: "ses_2", events: [delta("c")] },
  ] as const;
  await observed.append({ writes: writes as never });
  expect(await metrics.text()).toContain("fairlead_events_appended_total 3");
});
