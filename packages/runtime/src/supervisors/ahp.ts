import type { AhpClient, AhpErrorCode, BlockingType, EventInput, NoticeType, Transport } from "@fairlead/ahp";
import { AhpError, createClient } from "@fairlead/ahp";
import { type FaultKind, type Supervisor, SupervisorFault } from "../ports/supervisor.ts";

export interface AhpSupervisorOptions {
  readonly name: string;
  readonly transport: Transport;
  readonly on: readonly BlockingType[];
  readonly timeoutMs: number;
  readonly onFailure: "block" | "allow";
  readonly version: string;
}

/** Another harness as a supervisor of ours: it gets the agent's events as they came, and its answers come back. */
export function ahpSupervisor(options: AhpSupervisorOptions): Supervisor {
  const { name, transport, timeoutMs, version } = options;
  let client: AhpClient | undefined;

  /** No retries: whoever asks has an answer for silence, and a lost connection is opened by the next question. */
  function open(): AhpClient {
    client ??= createClient(transport, {
      sessionId: "fairlead",
      agentId: "fairlead",
      agent: { framework: "fairlead", version, capabilities: [...options.on] },
      timeoutMs,
      maxRetries: 0,
      maxInFlight: 1_024,
    });
    return client;
  }

  /** A harness that was a process and died is started again, by the next question. */
  function dropDead(dead: AhpClient): void {
    if (client !== dead || transport.lifetime !== "process") return;
    client = undefined;
    dead.close().catch(() => {});
  }

  /** Over a connection that has greeted. Rejects with a SupervisorFault. */
  async function over<T>(signal: AbortSignal, work: (client: AhpClient) => Promise<T>): Promise<T> {
    const now = open();
    try {
      if (now.harness === undefined) await now.handshake({ signal });
      return await work(now);
    } catch (error) {
      const code = error instanceof AhpError ? error.code : undefined;
      if (code === "closed" || code === "connection_lost" || code === "connection_failed") dropDead(now);
      const message = error instanceof Error ? error.message : String(error);
      throw new SupervisorFault(faultKind(code), `${code ?? "error"}: ${message}`, { cause: error });
    }
  }

  return {
    name,
    on: options.on,
    timeoutMs,
    onFailure: options.onFailure,
    decide: (event, signal) =>
      over(signal, (now) => now.decideEvent(event as EventInput<BlockingType>, { signal })),
    notify: (event, signal) =>
      over(signal, (now) => now.notifyEvent(event as EventInput<NoticeType>, { signal })),
    async close() {
      await client?.close();
    },
  };
}

function faultKind(code: AhpErrorCode | undefined): FaultKind {
  switch (code) {
    case "timeout":
    case "aborted":
      return "timeout";
    case "bad_answer":
    case "id_mismatch":
    case "batch_mismatch":
    case "parse_error":
    case "invalid_request":
      return "invalid";
    default:
      return "failed";
  }
}
