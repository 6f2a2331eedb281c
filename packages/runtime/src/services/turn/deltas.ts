import type { NewEvent } from "@fairlead/contract";
import type { Timers } from "../../ports/timers.ts";
import { type Veil, createVeil } from "./veil.ts";

/** Longer pieces are split, so that none is moved to the blob store and shown as a preview only. */
const MAX_CHARS = 8_000;

export interface Deltas {
  add(kind: "text" | "thinking", text: string): void;
  /** Takes no more. Waits for the append under way and gives what is left, to go with the last commit. */
  close(): Promise<readonly NewEvent[]>;
}

export interface DeltasOptions {
  readonly timers: Timers;
  readonly intervalMs: number;
  readonly envelope: Pick<NewEvent, "turn_id" | "agent_id" | "cause">;
  /** Which model call the pieces belong to. */
  readonly call: { readonly step: number; readonly attempt: number };
  readonly redact: (text: string) => string;
  /** Never rejects: what goes wrong is the appender's to handle. */
  readonly append: (events: readonly NewEvent[]) => Promise<void>;
}

/**
 * Puts small pieces together: the first is written at once, with all that arrived with it, then at most one of each
 * kind an interval. One append at a time, so that pieces stay in order and a slow store gets larger ones.
 * A word that may become a secret waits for its end. An answer that came in one go needs no commit of its own.
 */
export function createDeltas({ timers, intervalMs, envelope, call, redact, append }: DeltasOptions): Deltas {
  // Within one interval thinking goes first; that is finer than anyone can see. Many an answer has neither.
  const strands: Strand[] = [];
  let cooling = false;
  let closed = false;
  let writing: Promise<void> | undefined;
  let callOff = () => {};
  let soon: NodeJS.Immediate | undefined;

  function strandOf(kind: Strand["kind"]): Strand {
    const there = strands.find((strand) => strand.kind === kind);
    if (there !== undefined) return there;
    const strand: Strand = { kind, shown: "", veil: createVeil(redact) };
    if (kind === "thinking") strands.unshift(strand);
    else strands.push(strand);
    return strand;
  }

  /** The next piece of one strand. */
  function take(strand: Strand): NewEvent[] {
    strand.shown += closed ? strand.veil.end() : strand.veil.take();
    const text = cut(strand.shown);
    strand.shown = strand.shown.slice(text.length);
    return text === "" ? [] : [{ ...envelope, type: TYPES[strand.kind], data: { text, ...call } }];
  }

  function flush(): void {
    if (closed || cooling || writing !== undefined) return;
    const events = strands.flatMap(take);
    if (events.length === 0) return;
    cooling = true;
    callOff = timers.after(intervalMs, () => {
      cooling = false;
      flush();
    });
    writing = append(events).then(() => {
      writing = undefined;
      flush();
    });
  }

  return {
    add(kind, text) {
      strandOf(kind).veil.add(text);
      soon ??= setImmediate(() => {
        soon = undefined;
        flush();
      });
    },
    async close() {
      closed = true;
      clearImmediate(soon);
      callOff();
      await writing;
      const rest: NewEvent[] = [];
      do rest.push(...strands.flatMap(take));
      while (strands.some(({ shown }) => shown !== ""));
      return rest;
    },
  };
}

const TYPES = { thinking: "agent.thinking.delta", text: "agent.output.delta" } as const;

interface Strand {
  readonly kind: keyof typeof TYPES;
  readonly veil: Veil;
  /** What may be written and has not been. */
  shown: string;
}

/** As much as goes into one event, with no surrogate pair cut in half. */
function cut(text: string): string {
  if (text.length <= MAX_CHARS) return text;
  const last = text.charCodeAt(MAX_CHARS - 1);
  return text.slice(0, last >= 0xd800 && last <= 0xdbff ? MAX_CHARS - 1 : MAX_CHARS);
}
