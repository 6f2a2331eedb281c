import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";

export type Message = { readonly is: string } & Readonly<Record<string, unknown>>;

/** A process of the benchmark, spoken to with messages. */
export interface Child {
  /** The next message of this kind. Rejects when the process ends first. */
  hear(is: string): Promise<Message>;
  send(message: Message): void;
  close(): Promise<void>;
}

export function startChild(file: string, ...args: string[]): Child {
  const child: ChildProcess = fork(new URL(file, import.meta.url), args, {
    stdio: ["ignore", "inherit", "inherit", "ipc"],
  });
  return {
    async hear(is) {
      const ended = new AbortController();
      const exit = once(child, "exit", { signal: ended.signal }).then(([code]) => {
        throw new Error(`${file} ended with ${String(code)}`);
      });
      exit.catch(() => {});
      try {
        for (;;) {
          const [message] = (await Promise.race([once(child, "message"), exit])) as [Message];
          if (message.is === is) return message;
        }
      } finally {
        ended.abort();
      }
    },
    send: (message) => void child.send(message),
    async close() {
      if (child.exitCode !== null) return;
      const gone = once(child, "exit");
      child.disconnect();
      await gone;
    },
  };
}
