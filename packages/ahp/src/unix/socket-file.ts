import { once } from "node:events";
import { chmod, lstat, unlink } from "node:fs/promises";
import type { Server } from "node:net";
import { connect } from "node:net";

import { AhpError } from "../protocol/errors.ts";

/** Makes way for a new socket: removes one that nobody serves, and nothing else. */
export async function clearStale(path: string): Promise<void> {
  const found = await lstat(path).catch(() => undefined);
  if (found === undefined) return;
  if (!found.isSocket()) throw taken(`${path} exists and is not a socket`);
  if (await isServed(path)) throw taken(`${path} is served by another process`);
  await unlink(path).catch(() => {});
}

/** Listens so that the socket is never, not even for a moment, open to other users. */
export async function listenPrivately(server: Server, path: string): Promise<void> {
  const restore = narrowUmask();
  try {
    server.listen(path);
  } finally {
    restore();
  }
  await once(server, "listening");
  await chmod(path, 0o600);
}

async function isServed(path: string): Promise<boolean> {
  const socket = connect({ path });
  try {
    await once(socket, "connect", { signal: AbortSignal.timeout(1_000) });
    return true;
  } catch (error) {
    // Refused or vanished means nobody listens; anything else may be a busy peer.
    return !["ECONNREFUSED", "ENOENT"].includes((error as NodeJS.ErrnoException).code ?? "");
  } finally {
    socket.destroy();
  }
}

function narrowUmask(): () => void {
  try {
    const before = process.umask(0o177);
    return () => void process.umask(before);
  } catch {
    // Worker threads may not set it; the chmod that follows must do.
    return () => {};
  }
}

function taken(message: string): AhpError {
  return new AhpError("connection_failed", message);
}
