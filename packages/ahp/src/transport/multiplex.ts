import { AhpError } from "../protocol/errors.ts";
import type { Answer } from "../rpc/answer.ts";
import { readAnswer } from "../rpc/answer.ts";
import { parseJson } from "../rpc/read.ts";
import type { Link } from "./link.ts";
import type { Connection } from "./transport.ts";

/** Requests that timed out one after the other, with nothing heard since, before a connection counts as dead. */
const SILENCE_LIMIT = 3;
/** How many ids of given-up requests are remembered, so that a late answer is not taken for a wrong one. */
const FORGOTTEN_LIMIT = 1_024;

export interface MultiplexOptions {
  readonly onStray: (what: string) => void;
}

interface Open {
  readonly settle: (answer: Answer) => void;
  /** How many silences there had been when this was asked. */
  readonly since: number;
}

/**
 * Many requests over one link.
 *
 * 1. Every request is settled exactly once: answered, failed with the link, or forgotten.
 * 2. A message that answers no request changes nothing, except when only one request is open:
 *    then it was meant for that one, and fails it.
 * 3. A peer that stays silent while one request after the other times out is half-open: the link is closed.
 */
export function multiplex(link: Link, { onStray }: MultiplexOptions): Connection {
  const open = new Map<string, Open>();
  const forgotten = new Set<string>();
  let alive = true;
  let silences = 0;

  link.listen({
    message(text) {
      silences = 0;
      const message = parseJson(text);
      const id = (message as { id?: unknown } | null)?.id;
      const asked = typeof id === "string" ? open.get(id) : undefined;
      if (asked === undefined) return unmatched(message, id);
      open.delete(id as string);
      asked.settle(readAnswer(message, id as string));
    },
    garbage: (error) => onStray(error.message),
    closed(error) {
      alive = false;
      const reason = error ?? lost();
      for (const { settle } of open.values()) settle({ ok: false, error: reason });
      open.clear();
      void link.close();
    },
  });

  function unmatched(message: unknown, id: unknown): void {
    if (typeof id === "string" && forgotten.delete(id)) return;
    if (message instanceof AhpError || !isAnswer(message)) {
      onStray("A message came that is no answer");
      return;
    }
    const only = open.size === 1 ? open.entries().next().value : undefined;
    if (only === undefined) {
      onStray("An answer came that belongs to no request");
      return;
    }
    open.delete(only[0]);
    only[1].settle(readAnswer(message, only[0]));
  }

  function forget(id: string, timedOut: boolean): void {
    const asked = open.get(id);
    if (asked === undefined) return;
    open.delete(id);
    forgotten.add(id);
    if (forgotten.size > FORGOTTEN_LIMIT) {
      forgotten.delete(forgotten.values().next().value as string);
    }
    // Requests held side by side are one silence, not many.
    if (!timedOut || asked.since !== silences) return;
    silences += 1;
    if (silences >= SILENCE_LIMIT) void link.close();
  }

  return {
    ask(id, text, settle) {
      if (!alive) {
        settle({ ok: false, error: lost() });
        return () => {};
      }
      open.set(id, { settle, since: silences });
      void link.send(text);
      return (timedOut) => forget(id, timedOut);
    },
    async tell(text) {
      if (!alive) throw lost();
      await link.send(text);
    },
    get alive() {
      return alive;
    },
    close() {
      alive = false;
      return link.close();
    },
  };
}

function lost(): AhpError {
  return new AhpError("connection_lost", "The harness ended the connection");
}

function isAnswer(message: unknown): boolean {
  return typeof message === "object" && message !== null && ("result" in message || "error" in message);
}
