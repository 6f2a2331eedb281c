import { existsSync } from "node:fs";
import { join } from "node:path";
import { type Client, createClient, ServerUnreachable } from "@fairlead/client";
import { findServer, type Holder, holderOf } from "@fairlead/runtime/local";
import type { Backend } from "./backend.ts";
import { remoteBackend } from "./backend/remote.ts";
import { Failure } from "./failure.ts";
import type { Host } from "./host.ts";
import { nameOf, type Place, placeOf, type PlaceOptions } from "./place.ts";
import { version } from "./version.ts";

export interface ConnectOptions extends PlaceOptions {
  readonly url?: string;
  readonly token?: string;
}

export interface Needs {
  /** Makes the store when there is none. */
  readonly creates?: boolean;
  /** Runs turns, should it have to do so in this process. */
  readonly runs?: boolean;
  /** Told what keeps it waiting, once that has lasted. */
  readonly waiting?: (text: string) => void;
  /** Told what is wrong with a tool or a server of tools, should turns run in this process. */
  readonly warn?: (problem: string) => void;
}

const PROBE_MS = 2_000;
const PATIENCE_MS = 3_000;
const RETRY_MS = 100;

/**
 * The server that was named, else the one that has the data open, else the data itself. A credential
 * found on this machine goes only to the process that wrote it, and only while that is alive.
 */
export async function connect(host: Host, options: ConnectOptions, needs: Needs = {}): Promise<Backend> {
  const { env } = host;
  const place = placeOf(host, options);
  const chosenData = options.data !== undefined || options.store !== undefined;
  const url = options.url ?? (chosenData ? undefined : env["FAIRLEAD_URL"] || undefined);
  const token = options.token ?? (env["FAIRLEAD_TOKEN"] || undefined);
  if (url !== undefined) {
    if (!/^https?:\/\//.test(url) || !URL.canParse(url))
      throw new Failure("usage", `${url} is not the URL of a server.`);
    return remoteBackend({
      client: createClient({ url, token: token ?? findServer(place.config, { url })?.token }),
    });
  }
  for (const start = performance.now(); ; await new Promise((resolve) => setTimeout(resolve, RETRY_MS))) {
    const server = await servedBy(place);
    if (server !== undefined) {
      if (token !== undefined) return remoteBackend({ client: createClient({ url: server.url, token }) });
      return remoteBackend({ client: createClient(server), renew: renewal(place, server) });
    }
    try {
      return await openStore(host, place, needs);
    } catch (error) {
      // Another command has it open for a moment, or a server that is about to answer.
      const locked = (error as { code?: string }).code === "store_locked";
      if (!locked || performance.now() - start > PATIENCE_MS) throw error;
    }
  }
}

interface Address {
  readonly url: string;
  readonly token?: string;
}

/** The way to the same data once its server was started anew; undefined when nothing has changed. */
function renewal(place: Place, first: Address): () => Promise<Client | undefined> {
  let last = first;
  return async () => {
    const server = await servedBy(place);
    if (server?.token === undefined || server.token === last.token) return undefined;
    last = server;
    return createClient(server);
  };
}

/** The server that has this place open and answers; undefined when none does. */
export async function servedBy(place: Place): Promise<Address | undefined> {
  const holder = place.kind === "sqlite" ? holderOf(place.data) : undefined;
  const file = findServer(place.config, { data: await nameOf(place) });
  const url = file?.url ?? holder?.url;
  if (url === undefined || !(await answers(url))) return undefined;
  const trusted = file !== undefined && (holder === undefined || holder.pid === file.pid);
  return trusted ? { url, token: file.token } : { url };
}

/** Whether a Fairlead server answers there. Sends no credential. */
export async function answers(url: string): Promise<boolean> {
  try {
    const { status } = await createClient({ url }).call("getHealth", {
      signal: AbortSignal.timeout(PROBE_MS),
    });
    return status === "ok";
  } catch (error) {
    return !(error instanceof ServerUnreachable || (error as Error).name === "TimeoutError");
  }
}

async function openStore(
  host: Host,
  place: Place,
  { creates, runs, waiting, warn }: Needs,
): Promise<Backend> {
  if (place.kind === "sqlite" && !creates && !existsSync(join(place.data, "fairlead.db"))) {
    throw new Failure("no_store", `There is no log at ${place.data} yet.`);
  }
  // Loaded only here: beside a server the engine stays out of this process.
  const [{ openRuntime }, { localBackend }, { openSupervisionHere }] = await Promise.all([
    import("./open-runtime.ts"),
    import("./backend/local.ts"),
    import("./serve/supervision.ts"),
  ]);
  const own = place.kind === "sqlite" ? [place.data, place.config] : [place.config];
  const logger = {
    warn: (...said: unknown[]) => warn?.(said.filter((one) => typeof one === "string").join(" ")),
  };
  const runtime = await openRuntime(host, place, {
    ...(waiting === undefined ? {} : { waiting }),
    ...(warn === undefined ? {} : { warn }),
    // The same rules and supervisors as with a server: what is forbidden there is not allowed here.
    ...(runs
      ? {
          workspace: host.cwd,
          supervise: (parts) => openSupervisionHere(parts, { host, choice: {}, version, logger, own }),
        }
      : {}),
  });
  if (runs) await runtime.start();
  return localBackend({ runtime, user: host.user, shared: place.kind === "postgres" });
}

/** Who has the data open, for messages. */
export function describeHolder({ pid, since, url }: Holder): string {
  return `process ${pid} since ${since}${url === undefined ? "" : `, at ${url}`}`;
}
