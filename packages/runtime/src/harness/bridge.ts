import type { Readable, Writable } from "node:stream";
import { type AhpError, toRpcError } from "@fairlead/ahp";
import { lineLink } from "@fairlead/ahp/stdio";
import { websocketLink } from "@fairlead/ahp/websocket";

export interface BridgeOptions {
  /** Of a harness on WebSocket, without the credential. */
  readonly url: string;
  readonly token: string;
  readonly input: Readable;
  readonly output: Writable;
  /** How long answers still due are waited for when the input has ended. */
  readonly lastAnswersMs?: number;
  readonly maxMessageBytes?: number;
}

const LAST_ANSWERS_MS = 15_000;

/**
 * Carries the protocol between a pipe and a harness elsewhere, a line a frame. Resolves when the input
 * has ended and is answered, and rejects when the harness is lost: an agent whose pipe closes knows
 * that nobody answers. The input is read only as fast as the harness reads and the agent reads its answers.
 */
export async function bridge(options: BridgeOptions): Promise<void> {
  const { input, output, lastAnswersMs = LAST_ANSWERS_MS, maxMessageBytes } = options;
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  const { host, socket } = await open(options);
  const limits = maxMessageBytes === undefined ? {} : { maxMessageBytes };
  const near = lineLink(input, output, limits);
  const far = websocketLink(socket, limits);
  let due = 0;
  let hasEnded = false;
  let timer: NodeJS.Timeout | undefined;
  /** Pending while the agent leaves its answers unread. */
  let unread: Promise<void> | undefined;

  function finish(): void {
    clearTimeout(timer);
    void far.close();
  }

  far.listen({
    message(text) {
      due -= 1;
      const room = near.send(text);
      unread = room ?? undefined;
      if (hasEnded && due <= 0) finish();
      return room;
    },
    garbage: () => {},
    closed() {
      clearTimeout(timer);
      if (hasEnded) resolve();
      else reject(new Error(`The harness at ${host} is gone.`));
    },
  });
  near.listen({
    async message(line) {
      if (wantsAnswer(line)) due += 1;
      await far.send(line);
      await unread;
    },
    garbage: (error) => void near.send(refusal(error)),
    closed(error) {
      hasEnded = true;
      if (error !== undefined) reject(error);
      if (error !== undefined || due <= 0) return finish();
      timer = setTimeout(finish, lastAnswersMs);
    },
  });
  try {
    await promise;
  } finally {
    clearTimeout(timer);
    await Promise.all([near.close(), far.close()]);
  }
}

function open({ url, token }: BridgeOptions): Promise<{ host: string; socket: WebSocket }> {
  const target = new URL(url);
  target.searchParams.set("token", token);
  const { host } = target;
  const { promise, resolve, reject } = Promise.withResolvers<{ host: string; socket: WebSocket }>();
  const socket = new WebSocket(target);
  socket.addEventListener("open", () => resolve({ host, socket }));
  socket.addEventListener("error", () => reject(new Error(`The harness at ${host} does not answer.`)));
  return promise;
}

/** What is no message does not reach the harness; it is answered as the harness would. */
function refusal(error: AhpError): string {
  return JSON.stringify({ jsonrpc: "2.0", id: "", error: toRpcError(error) });
}

/** Everything but a notification is answered, nonsense too. */
function wantsAnswer(line: string): boolean {
  try {
    const message = JSON.parse(line) as { id?: unknown } | null;
    return typeof message !== "object" || message === null || message.id !== undefined;
  } catch {
    return true;
  }
}
