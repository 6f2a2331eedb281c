import { readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { isAlive } from "./alive.ts";
import { privateDirectory, readPrivate, replacePrivate } from "./private-file.ts";

/** How the CLI reaches a server on this machine: written by the server, readable by its user only. */
export interface ServerFile {
  readonly url: string;
  readonly token: string;
  readonly pid: number;
  /** What it serves: a data directory, or the name of a store without its password. */
  readonly data: string;
}

function folder(config: string): string {
  return join(config, "servers");
}

function fileOf(config: string, url: string): string {
  const { hostname, port, protocol } = new URL(url);
  const host = hostname.replaceAll(/[^A-Za-z0-9.-]/g, "_");
  return join(folder(config), `${host}-${port || (protocol === "https:" ? "443" : "80")}.json`);
}

export function writeServerFile(config: string, server: ServerFile): void {
  privateDirectory(config);
  replacePrivate(fileOf(config, server.url), `${JSON.stringify(server)}\n`);
}

/** Removes it, unless another process has taken the address since. */
export function removeServerFile(config: string, server: Pick<ServerFile, "url" | "pid">): void {
  const path = fileOf(config, server.url);
  if (parse(readPrivate(path))?.pid === server.pid) rmSync(path, { force: true });
}

/** The servers of this user that are alive, by their own word. */
export function listServers(config: string): readonly ServerFile[] {
  let names: string[];
  try {
    names = readdirSync(folder(config)).filter((name) => name.endsWith(".json"));
  } catch {
    return [];
  }
  return names
    .toSorted()
    .map((name) => parse(readPrivate(join(folder(config), name))))
    .filter((server) => server !== undefined && isAlive(server.pid)) as ServerFile[];
}

/** The server at this address, or the one that serves this data. */
export function findServer(
  config: string,
  wanted: { readonly url: string } | { readonly data: string },
): ServerFile | undefined {
  return listServers(config).find((server) =>
    "url" in wanted ? fileOf(config, server.url) === fileOf(config, wanted.url) : server.data === wanted.data,
  );
}

/** A file that is not as we write it is no server. */
function parse(text: string | undefined): ServerFile | undefined {
  if (text === undefined) return undefined;
  try {
    const { url, token, pid, data } = JSON.parse(text) as Record<string, unknown>;
    if (typeof url !== "string" || !URL.canParse(url) || typeof token !== "string") return undefined;
    if (!Number.isSafeInteger(pid) || typeof data !== "string") return undefined;
    return { url, token, pid: pid as number, data };
  } catch {
    return undefined;
  }
}
