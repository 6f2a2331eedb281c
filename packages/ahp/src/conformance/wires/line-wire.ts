import { spawn } from "node:child_process";
import { once } from "node:events";
import { connect } from "node:net";
import type { Readable, Writable } from "node:stream";

import type { Wire } from "./wire.ts";
import { createInbox } from "./wire.ts";

export async function unixWire(path: string): Promise<Wire> {
  const socket = connect(path);
  await once(socket, "connect");
  return lineWire(socket, socket, async () => void socket.destroy());
}

export interface Command {
  readonly command: string;
  readonly args: readonly string[];
}

export async function stdioWire({ command, args }: Command): Promise<Wire> {
  const child = spawn(command, args, { stdio: ["pipe", "pipe", "inherit"] });
  await once(child, "spawn");
  return lineWire(child.stdout, child.stdin, async () => {
    child.stdin.end();
    const kill = setTimeout(() => child.kill("SIGKILL"), 2_000);
    if (child.exitCode === null && child.signalCode === null) await once(child, "exit");
    clearTimeout(kill);
  });
}

function lineWire(input: Readable, output: Writable, close: () => Promise<void>): Wire {
  const inbox = createInbox();
  const { promise: ended, resolve } = Promise.withResolvers<void>();
  let rest = "";
  input.setEncoding("utf8");
  input.on("data", (chunk: string) => {
    const lines = (rest + chunk).split("\n");
    rest = lines.pop() ?? "";
    for (const line of lines) inbox.put(line);
  });
  for (const event of ["end", "close", "error"]) input.on(event, () => resolve());
  output.on("error", () => resolve());

  function write(bytes: Uint8Array): Promise<void> {
    return new Promise((done) => output.write(bytes, () => done()));
  }

  return {
    inbox,
    ended,
    close,
    sendBytes: write,
    send: (message) => write(Buffer.concat([Buffer.from(message as string), Buffer.from("\n")])),
  };
}
