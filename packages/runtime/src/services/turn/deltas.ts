import type { NewEvent } from "@fairlead/contract";
import type { Timers } from "../../ports/timers.ts";

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
  /** Never rejects: what goes wrong is the appender's to handle. */
  readonly append: (events: readonly NewEvent[]) => Promise<void>;
}

/**
 * Puts small pieces together: the first is written at once, then at most one of each kind an
 * interval. One append at a time, so that pieces stay in order and a slow store gets larger ones.
 */
export function createDeltas({ timers, intervalMs, envelope, append }: DeltasOptions): Deltas {
  const waiting = { thinking: "", text: "" };
  let cooling = false;
  let closed = false;
  let writing: Promise<void> | undefined;
  let callOff = () => {};

  function take(): NewEvent[] {
    // Within one interval thinking goes first; that is finer than anyone can see.
    const events = [takeOne("thinking"), takeOne("text")];
    return events.filter((event) => event !== undefined);
  }

  function takeOne(kind: keyof typeof waiting): NewEvent | undefined {
    const text = cut(waiting[kind]);
    if (text === "") return undefined;
    waiting[kind] = waiting[kind].slice(text.length);
    const type = kind === "text" ? "agent.output.delta" : "agent.thinking.delta";
    return { ...envelope, type, data: { text, step: 1, attempt: 1 } };
  }

  function flush(): void {
    if (closed || cooling || writing !== undefined) return;
    const events = take();
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
      waiting[kind] += text;
      flush();
    },
    async close() {
      closed = true;
      callOff();
      await writing;
      const rest: NewEvent[] = [];
      for (let some = take(); some.length > 0; some = take()) rest.push(...some);
      return rest;
    },
  };
}

/** The beginning of the text, with no surrogate pair cut in half. */
function cut(text: string): string {
  if (text.length <= MAX_CHARS) return text;
  const last = text.charCodeAt(MAX_CHARS - 1);
  return text.slice(0, last >= 0xd800 && last <= 0xdbff ? MAX_CHARS - 1 : MAX_CHARS);
}
