import { createInterface } from "node:readline";
import type { Readable, Writable } from "node:stream";

export interface BridgeOptions {
  /** Of a harness on WebSocket, without the credential. */
  readonly url: string;
  readonly token: string;
  readonly input: Readable;
  readonly output: Writable;
  /** How long answers still due are waited for when the input has ended. */
  readonly lastAnswersMs?: number;
}

const LAST_ANSWERS_MS = 15_000;

/**
 * Carries the protocol between a pipe and a harness elsewhere, a line a frame. Resolves when the input
 * has ended and is answered, and rejects when the harness is lost: an agent whose pipe closes knows
 * that nobody answers.
 */
export function bridge(options: BridgeOptions): Promise<void> {
  const { url, token, input, output, lastAnswersMs = LAST_ANSWERS_MS } = options;
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  const target = new URL(url);
  target.searchParams.set("token", token);
  const socket = new WebSocket(target);
  let due = 0;
  let hasEnded = false;
  let timer: NodeJS.Timeout | undefined;

  function finish(): void {
    clearTimeout(timer);
    socket.close();
  }

  socket.addEventListener("open", () => {
    const lines = createInterface({ input, crlfDelay: Number.POSITIVE_INFINITY });
    lines.on("line", (line) => {
      if (line === "") return;
      if (wantsAnswer(line)) due += 1;
      socket.send(line);
    });
    lines.on("close", () => {
      hasEnded = true;
      if (due <= 0) return finish();
      timer = setTimeout(finish, lastAnswersMs);
    });
  });
  socket.addEventListener("message", ({ data }) => {
    output.write(`${String(data)}\n`);
    due -= 1;
    if (hasEnded && due <= 0) finish();
  });
  socket.addEventListener("close", () => {
    if (hasEnded) resolve();
    else reject(new Error(`The harness at ${target.host} is gone.`));
  });
  socket.addEventListener("error", () => reject(new Error(`The harness at ${target.host} does not answer.`)));
  return promise;
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
