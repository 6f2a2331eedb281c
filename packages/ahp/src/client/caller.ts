import { AhpError } from "../protocol/errors.ts";
import type { MethodName } from "../protocol/methods.ts";
import { writeNotification, writeRequest } from "../rpc/write.ts";
import type { Connection } from "../transport/transport.ts";
import { backoffMs, pause } from "./backoff.ts";
import type { Deadline } from "./deadline.ts";
import { startDeadline } from "./deadline.ts";
import type { Line } from "./line.ts";
import { askOnce, tellOnce } from "./once.ts";
import type { CallOptions } from "./options.ts";
import type { Slots } from "./slots.ts";

/** Sends one message under a deadline, over a connection that may have to be opened first. */
export interface Caller {
  /** `repeatable`: may be sent again when the connection breaks before the answer. */
  ask(method: MethodName, params: unknown, options: CallOptions, repeatable: boolean): Promise<unknown>;
  tell(method: MethodName, params: unknown, options: CallOptions): Promise<void>;
  /** Only makes sure that there is a greeted connection. */
  reach(options: CallOptions): Promise<void>;
}

export interface CallerOptions {
  readonly line: Line;
  readonly slots: Slots;
  readonly newId: () => string;
  readonly random: () => number;
  readonly timeoutMs: number;
  readonly maxRetries: number;
  readonly retryDelayMs: number;
}

type Send<T> = (connection: Connection, deadline: Deadline) => Promise<T>;

export function createCaller(options: CallerOptions): Caller {
  const { line, slots, newId } = options;

  function call<T>({ timeoutMs, signal }: CallOptions, repeatable: boolean, send: Send<T>): Promise<T> {
    const deadline = startDeadline(timeoutMs ?? options.timeoutMs, signal);
    const turn = slots.take(deadline);
    if (turn === undefined) return attempt(deadline, repeatable, send);
    return turn.then(
      () => attempt(deadline, repeatable, send),
      (error: unknown) => {
        deadline.release();
        throw error;
      },
    );
  }

  /** With a slot in hand. The common case, a connection and an answer, costs one promise. */
  function attempt<T>(deadline: Deadline, repeatable: boolean, send: Send<T>): Promise<T> {
    const release = () => {
      slots.free();
      deadline.release();
    };
    const greeting = line.greeting;
    return once(deadline, send).then(
      (value) => {
        release();
        return value;
      },
      (error: unknown) => retry({ error, greeting }, deadline, repeatable, send).finally(release),
    );
  }

  function once<T>(deadline: Deadline, send: Send<T>): Promise<T> {
    const connection = line.current();
    if (connection !== undefined) return send(connection, deadline);
    return line.open(deadline).then((opened) => send(opened, deadline));
  }

  async function retry<T>(
    failure: { error: unknown; greeting: number },
    deadline: Deadline,
    repeatable: boolean,
    send: Send<T>,
  ): Promise<T> {
    let { error, greeting } = failure;
    for (let tries = 0; tries < options.maxRetries; tries += 1) {
      if (isForgotten(error)) line.greetAgain(greeting);
      else if (!isPassing(error, repeatable)) break;
      else await pause(backoffMs(options.retryDelayMs, tries, options.random), deadline);
      greeting = line.greeting;
      try {
        return await once(deadline, send);
      } catch (again) {
        error = again;
      }
    }
    throw error;
  }

  return {
    ask(method, params, callOptions, repeatable) {
      const id = newId();
      const text = writeRequest(id, method, params);
      return call(callOptions, repeatable, (connection, deadline) =>
        askOnce(connection, id, text, deadline, repeatable),
      );
    },
    tell(method, params, callOptions) {
      const text = writeNotification(method, params);
      return call(callOptions, false, (connection, deadline) => tellOnce(connection, text, deadline));
    },
    reach: (callOptions) => call(callOptions, true, async () => {}),
  };
}

/** Worth another try: the harness was not reached, or it may be asked twice. */
function isPassing(error: unknown, repeatable: boolean): boolean {
  if (!(error instanceof AhpError)) return false;
  return error.code === "connection_failed" || (repeatable && error.code === "connection_lost");
}

/** The harness restarted, and this transport could not notice. */
function isForgotten(error: unknown): boolean {
  if (!(error instanceof AhpError) || error.code !== "peer_error") return false;
  const data = error.rpc?.data as { code?: unknown } | null | undefined;
  return data?.code === "handshake_required";
}
