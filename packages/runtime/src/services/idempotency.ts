import { createHash, createHmac } from "node:crypto";
import { type AnyEvent, FairleadError } from "@fairlead/contract";
import type { Actor } from "../domain/actor.ts";
import { canonicalJson } from "../domain/canonical.ts";
import type { EventLog } from "../ports/event-log.ts";

/** A command that can be repeated: what it claims, and the mark of its body on the event it led to. */
export interface CommandKey {
  readonly claim: string;
  readonly cause: string;
}

/**
 * The claim is a hash, so that foreign keys have one length and none is kept in the clear. The mark
 * is keyed by the caller's own key, so that it gives away nothing of a body that redaction took out.
 */
export function commandKey(actor: Actor, key: string, command: unknown): CommandKey {
  const who = canonicalJson([actor.name, actor.role, actor.project, key]);
  return {
    claim: `idem:${createHash("sha256").update(who).digest("hex")}`,
    cause: `cmd:${createHmac("sha256", key).update(canonicalJson(command)).digest("hex")}`,
  };
}

/** The first event that this command led to, or undefined when it has not been carried out. */
export async function firstResult(
  log: EventLog,
  command: CommandKey | undefined,
): Promise<AnyEvent | undefined> {
  if (command === undefined) return undefined;
  const ref = await log.findKey(command.claim);
  if (ref === undefined) return undefined;
  const { events } = await log.read(ref.stream, { after: ref.seq - 1, limit: 1 });
  const event = events[0];
  if (event === undefined || event.type === "runtime.log.gap") {
    throw new FairleadError("key_taken", {
      message: "This Idempotency-Key was used before; what it led to has since been trimmed.",
      details: { session_id: ref.stream, seq: ref.seq },
    });
  }
  if (event.cause !== command.cause) throw new FairleadError("idempotency_mismatch");
  return event;
}
