import { FairleadError, type SessionId } from "@fairlead/contract";
import type { EventLog, StreamInfo } from "../ports/event-log.ts";
import type { Ids } from "../ports/ids.ts";
import { taken } from "./refusal.ts";
import { appendToSystem } from "./system-stream.ts";

const LEASE_MS = 10_000;

/** Deletes a session for good, and says so where it stays: on the system stream. Throws turn_active. */
export async function retireStream(
  { log, ids }: { log: EventLog; ids: Ids },
  stream: StreamInfo & { readonly id: SessionId },
  actor: string,
  reason: string,
): Promise<void> {
  // With the lease in hand no process drives it, and none can begin.
  const lease = await log.acquireLease(stream.id, ids.next("attempt"), LEASE_MS);
  if (lease === undefined) {
    throw new FairleadError("turn_active", {
      message: "A process is driving this session: cancel its turn first.",
      details: { session_id: stream.id },
    });
  }
  try {
    // Recorded first: if the process dies between the two, the log names a purge that can be repeated, not a hole nobody explains.
    taken(
      await appendToSystem(
        log,
        [{ type: "runtime.session.purged", data: { session_id: stream.id, actor, reason } }],
        [],
      ),
    );
    await log.purge(stream.id);
  } finally {
    await log.releaseLease(lease);
  }
}
