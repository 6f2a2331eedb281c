import type { Expiry } from "../../domain/kernel/expiry.ts";
import { everyRow } from "../rows.ts";
import type { KernelDeps } from "./context.ts";
import { engineNamed } from "./engines.ts";
import type { Kernel } from "./types.ts";

type Expiring = Pick<Kernel, "expireDue" | "nextDue">;

/** Ends background work that waits longer than it may. What runs is not cut off: it is looked at when it goes on. */
export function createExpiry({ log, clock, engines, report }: KernelDeps): Expiring {
  return {
    async expireDue() {
      let found = 0;
      for await (const { session_id, at, engine } of everyRow<Expiry>(log, "expiry", {
        state: ["waits"],
        oldest: true,
      })) {
        if (at > clock.now()) break;
        try {
          // Whoever takes it up sees that its time is over before anything else.
          if (await engineNamed(engines, engine ?? undefined).wake(session_id, true)) found += 1;
        } catch (error) {
          report(error);
        }
      }
      return found;
    },
    async nextDue() {
      const query = { state: ["waits"], oldest: true, scope: { owner: "any" }, limit: 1 } as const;
      return (await log.rows<Expiry>("expiry", query)).rows[0]?.at ?? null;
    },
  };
}
