import type { HandshakeParams } from "../protocol/methods.ts";
import type { Greeting } from "../server/door.ts";

/** Who has greeted over HTTP. Give a durable one and agents need not greet again after a restart. */
export interface HandshakeStore {
  get(caller: string): HandshakeParams | undefined;
  set(caller: string, hello: HandshakeParams): void;
}

/** Forgets the caller that was silent longest when there are too many. */
export function memoryHandshakes(limit = 10_000): HandshakeStore {
  const callers = new Map<string, HandshakeParams>();

  function put(caller: string, hello: HandshakeParams): void {
    callers.delete(caller);
    callers.set(caller, hello);
  }

  return {
    get(caller) {
      const hello = callers.get(caller);
      if (hello !== undefined) put(caller, hello);
      return hello;
    },
    set(caller, hello) {
      put(caller, hello);
      const [oldest] = callers.keys();
      if (callers.size > limit && oldest !== undefined) callers.delete(oldest);
    },
  };
}

/**
 * HTTP has no connection to hang a handshake on, and agents send no token back. So the caller is
 * whoever shows the same credential from the same address: one handshake, then any session.
 */
export function greetingOf(store: HandshakeStore, caller: string): Greeting {
  return { get: () => store.get(caller), set: (hello) => store.set(caller, hello) };
}
