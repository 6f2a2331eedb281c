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
  ask(
    method: MethodName,
    params: unknown,
    options: CallOptions,
    repeatable: boolean,
  ): Promise<unknown>;
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

export function createCaller(options: CallerOptions): Caller {
  const { line, slots, newId } = options;

  async function underDeadline<T>(
    { timeoutMs, signal }: CallOptions,
    work: (deadline: Deadline) => Promise<T>,
  ): Promise<T> {
    const deadline = startDeadline(timeoutMs ?? options.timeoutMs, signal);
    try {
      const turn = slots.take(deadline);
      if (turn !== undefined) await turn;
      try {
        return await work(deadline);
      } finally {
        slots.free();
      }
    } finally {
      deadline.release();
    }
  }

  async function retrying<T>(
    deadline: Deadline,
    repeatable: boolean,
    send: (connection: Connection) => Promise<T>,
  ): Promise<T> {
    for (let attempt = 0; ; attempt += 1) {
      try {
        return await send(line.current() ?? (await line.open(deadline)));
      } catch (error) {
        if (attempt >= options.maxRetries || !isPassing(error, repeatable)) throw error;
        await pause(backoffMs(options.retryDelayMs, attempt, options.random), deadline);
      }
    }
  }

  return {
    ask(method, params, callOptions, repeatable) {
      const id = newId();
      const text = writeRequest(id, method, params);
      return underDeadline(callOptions, (deadline) =>
        retrying(deadline, repeatable, async (connection) => {
          try {
            return await askOnce(connection, id, text, deadline);
          } catch (error) {
            if (!isForgotten(error)) throw error;
            // The harness restarted and this transport did not notice: greet again, once.
            line.drop(connection);
            return askOnce(await line.open(deadline), id, text, deadline);
          }
        }),
      );
    },
    reach(callOptions) {
      return underDeadline(callOptions, (deadline) => retrying(deadline, true, async () => {}));
    },
    tell(method, params, callOptions) {
      const text = writeNotification(method, params);
      return underDeadline(callOptions, (deadline) =>
        retrying(deadline, false, (connection) => tellOnce(connection, text, deadline)),
      );
    },
  };
}

/** Worth another try: the harness was not reached, or it may be asked twice. */
function isPassing(error: unknown, repeatable: boolean): boolean {
  if (!(error instanceof AhpError)) return false;
  return error.code === "connection_failed" || (repeatable && error.code === "connection_lost");
}

function isForgotten(error: unknown): boolean {
  if (!(error instanceof AhpError) || error.code !== "peer_error") return false;
  const data = error.rpc?.data as { code?: unknown } | null | undefined;
  return data?.code === "handshake_required";
}
