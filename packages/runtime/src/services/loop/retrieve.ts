import type { NewEvent } from "@fairlead/contract";
import type { Retrieved, Retriever } from "../../ports/retrieval.ts";
import { type Drive, envelopeOf, turnOf } from "./context.ts";

const RETRIEVAL = "retrieval";
const PASSAGES = 6;
const CHARS = 8_000;
/** Then the turn goes on without; the index is made all the same, for the next one. */
const PATIENCE_MS = 20_000;

/**
 * Before its first step a turn is given the passages of the workspace that fit its request. They are in the log before
 * the model hears of them, so that it is told the same after a restart, and nobody looks twice. Never ends a turn.
 */
export async function retrieve(drive: Drive): Promise<void> {
  const { retriever, journal, signal } = drive;
  const { step, informed, input } = turnOf(drive);
  if (retriever === undefined || step > 0 || informed.includes(RETRIEVAL)) return;
  const found = await looked(drive, retriever, input);
  if (signal.aborted) return;
  const envelope = envelopeOf(drive);
  journal.emit([
    { ...envelope, ...completed(input, found) },
    {
      ...envelope,
      type: "runtime.context.injected",
      seal: true,
      data: {
        turn_id: envelope.turn_id,
        source: RETRIEVAL,
        subject: RETRIEVAL,
        text: "error" in found ? "" : found.text,
      },
    },
  ]);
}

type Looked = Retrieved | { readonly error: string };

async function looked({ place, signal }: Drive, retriever: Retriever, query: string): Promise<Looked> {
  const patience = AbortSignal.any([signal, AbortSignal.timeout(PATIENCE_MS)]);
  try {
    return await retriever.retrieve(place.path(), query, { limit: PASSAGES, chars: CHARS, signal: patience });
  } catch (error) {
    return { error: patience.aborted ? "It took too long." : String((error as Error).message) };
  }
}

function completed(query: string, found: Looked): NewEvent {
  const failed = "error" in found;
  return {
    type: "runtime.retrieval.completed",
    data: {
      query,
      citations: failed ? [] : found.citations.map((citation) => ({ ...citation })),
      context_pack: { ...(failed ? { error: found.error } : found.pack), source: "auto" },
    },
  };
}
