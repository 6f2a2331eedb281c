import type { Awaitable } from "../awaitable.ts";
import { andThen, isPromise } from "../awaitable.ts";
import { AhpError } from "../protocol/errors.ts";
import type { HandshakeParams } from "../protocol/methods.ts";

/** Remembers whether a peer has greeted; for HTTP this outlives a connection. */
export interface Greeting {
  get(): HandshakeParams | undefined;
  set(hello: HandshakeParams): void;
}

/** Keeps everything out until the peer has greeted. */
export interface Door {
  readonly isOpen: boolean;
  /** Opens when `work` gives no error. */
  greet<T>(hello: HandshakeParams, work: () => Awaitable<T | AhpError>): Awaitable<T | AhpError>;
  /** Does the work if the door is open. A message sent right behind a handshake waits for its answer. */
  pass<T>(work: () => Awaitable<T>): Awaitable<T | AhpError>;
}

export function createDoor(greeting: Greeting, isNeeded: boolean): Door {
  let opening: Promise<unknown> | undefined;

  const isOpen = () => !isNeeded || greeting.get() !== undefined;
  const refusal = () => new AhpError("handshake_required", "Handshake first");

  return {
    get isOpen() {
      return isOpen();
    },
    greet(hello, work) {
      const outcome = andThen(work(), (result) => {
        if (!(result instanceof AhpError)) greeting.set(hello);
        return result;
      });
      if (isPromise(outcome)) opening = outcome;
      return outcome;
    },
    pass(work) {
      if (isOpen()) return work();
      if (opening === undefined) return refusal();
      return opening.then(() => (isOpen() ? work() : refusal()));
    },
  };
}

/** The greeting of a connection that remembers it for itself. */
export function ownGreeting(): Greeting {
  let hello: HandshakeParams | undefined;
  return {
    get: () => hello,
    set: (given) => {
      hello = given;
    },
  };
}
