import { once } from "node:events";
import { connect, type Socket } from "node:net";
import { onTestFinished } from "vitest";

// Clients that a library would not be: they send what they like, and end nothing by themselves.

export interface Raw {
  readonly socket: Socket;
  /** All that came, a character a byte. */
  readonly text: () => string;
  /** Waits until what came satisfies the test. Throws when no more can come. */
  until(test: (text: string) => boolean): Promise<void>;
  /** The status of each answer so far, in order. */
  readonly statuses: () => number[];
}

/** A connection that stays half open when the server has ended its half. Gone with the test. */
export async function dialRaw(port: number, bytes: string | Buffer): Promise<Raw> {
  const socket = connect({ port, host: "127.0.0.1", allowHalfOpen: true });
  onTestFinished(() => void socket.destroy());
  let received = "";
  let ended = false;
  socket.on("error", () => {});
  socket.setEncoding("latin1").on("data", (chunk) => (received += chunk));
  for (const event of ["end", "close"]) socket.once(event, () => (ended = true));
  await once(socket, "connect");
  socket.write(bytes);
  return {
    socket,
    text: () => received,
    statuses: () => [...received.matchAll(/HTTP\/1\.1 (\d+)/g)].map(([, status]) => Number(status)),
    async until(test) {
      while (!test(received)) {
        if (ended) throw new Error(`ended early: ${received.slice(-300)}`);
        await Promise.race(["data", "end", "close"].map((event) => once(socket, event)));
      }
    },
  };
}

type Headers = Readonly<Record<string, string>>;

export function request(port: number, line: string, headers: Headers = {}, body = ""): string {
  const all = { Host: `127.0.0.1:${port}`, ...headers };
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`);
  return `${line} HTTP/1.1\r\n${lines.join("")}\r\n${body}`;
}

/** The handshake of a WebSocket. */
export function handshake(port: number, path: string, headers: Headers = {}): string {
  return request(port, `GET ${path}`, {
    Connection: "Upgrade",
    Upgrade: "websocket",
    "Sec-WebSocket-Version": "13",
    "Sec-WebSocket-Key": "dGhlIHNhbXBsZSBub25jZQ==",
    ...headers,
  });
}

export const bearer = (token: string): Headers => ({ Authorization: `Bearer ${token}` });

/** A frame of a client, masked with zeros, of at most 125 bytes. */
export function frame(first: number, payload = ""): Buffer {
  return Buffer.concat([
    Buffer.from([first, 0x80 | payload.length, 0, 0, 0, 0]),
    Buffer.from(payload, "latin1"),
  ]);
}

/** First bytes of frames: the last part of a message and what kind it is. */
export const FRAME = { open: 0x01, more: 0x00, close: 0x88, ping: 0x89, pong: 0x8a } as const;

const PINGS = 64 * 1024 * 1024;
const LAST = "the last";

/**
 * Pings without reading, far more than kernels keep, and then reads on until the last is answered. Resolves with how
 * much was sent and how much of an answer came.
 */
export async function pingUnread({ socket }: Raw): Promise<{ sent: number; heard: number }> {
  const block = Buffer.concat(Array.from({ length: 4_096 }, () => frame(FRAME.ping, "x".repeat(125))));
  const end = Buffer.from([FRAME.pong, LAST.length, ...Buffer.from(LAST)]).toString("latin1");
  socket.pause();
  let sent = 0;
  for (; sent < PINGS; sent += block.length) if (!socket.write(block)) await once(socket, "drain");
  socket.write(frame(FRAME.ping, LAST));
  let heard = 0;
  let tail = "";
  await new Promise<void>((resolve, reject) => {
    socket.on("data", (chunk: string) => {
      heard += chunk.length;
      tail = (tail + chunk).slice(-256);
      if (tail.includes(end)) resolve();
    });
    socket.once("close", () => reject(new Error("closed before the last ping was answered")));
    socket.resume();
  });
  return { sent, heard };
}
