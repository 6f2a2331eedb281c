import { lookup } from "node:dns/promises";
import { realpathSync } from "node:fs";
import { isIP } from "node:net";
import { FairleadError } from "@fairlead/contract";
import type { Runtime } from "@fairlead/runtime";
import { removeServerFile, writeServerFile } from "@fairlead/runtime/local";
import {
  type CockpitAssets,
  createMetrics,
  createServer,
  type FairleadServer,
  type Logger,
  observedLog,
  type SignInLink,
  tokenAuthenticator,
} from "@fairlead/runtime/serve";
import type { Listening } from "@fairlead/runtime/harness";
import { answers } from "../connect.ts";
import { Failure } from "../failure.ts";
import type { HarnessChoice } from "../harness/choice.ts";
import { type OpenedHarness, openHarnessHere } from "../harness/open.ts";
import type { Host } from "../host.ts";
import { openRuntime } from "../open-runtime.ts";
import { nameOf, type Place } from "../place.ts";
import { makeCliToken } from "./cli-token.ts";
import { openSupervisionHere, type SupervisionHere } from "./supervision.ts";

export interface StartOptions {
  readonly host: Host;
  readonly place: Place;
  readonly address: string;
  readonly port: number;
  readonly allowHosts: readonly string[];
  readonly secure: boolean;
  readonly bodyBytes?: number;
  readonly version: string;
  /** What makes a sign-in link in another terminal here. */
  readonly linkCommand?: string;
  readonly logger: Logger;
  /** The web page; without it a plain start page is served. */
  readonly cockpit?: CockpitAssets;
  /** How foreign agents are served beside the API. */
  readonly harness: HarnessChoice & { readonly defaultSocket?: string };
}

export interface Running {
  readonly url: string;
  /** Signs one browser in, once, for a short while. */
  readonly signIn: SignInLink;
  /** The data directory, or the database without its password. */
  readonly data: string;
  /** Where foreign agents connect, and the harness itself. */
  readonly agents: Agents;
  /** Takes no new work and hands over what is under way, for at most so long. To be followed by `stop`. */
  drain(graceMs: number): Promise<void>;
  /** Ends what is under way, records it, and forgets the credential. */
  stop(): Promise<void>;
}

export interface Agents extends Pick<OpenedHarness, "harness" | "agent" | "close"> {
  /** Beside the API: by POST, and by WebSocket with another scheme. */
  readonly url: string;
  readonly listening: Listening;
}

/** The whole server, put together. Throws a `Failure` or a `FairleadError` that says what to do. */
export async function startServer(options: StartOptions): Promise<Running> {
  const { host, place, logger, version } = options;
  await demandAddress(options.address);
  const metrics = createMetrics();
  const report = (err: unknown): void => logger.error({ err }, "failed in the background");
  const { defaultSocket, ...choice } = options.harness;
  const here = {
    host,
    choice,
    version,
    logger,
    own: place.kind === "sqlite" ? [place.data, place.config] : [place.config],
  };
  let supervision: SupervisionHere | undefined;
  const runtime = await openRuntime(host, place, {
    version,
    supervise: async (parts) => (supervision = await openSupervisionHere(parts, here)),
    workspace: host.cwd,
    config: options.harness.config,
    waiting: (text) => logger.warn(text),
    observe: (log) => observedLog(log, metrics),
    warn: (problem) => logger.warn(problem),
    report,
  });
  try {
    if (supervision === undefined) throw new Error("The runtime opened no supervision.");
    const opened = await openHarnessHere({
      runtime,
      host,
      choice,
      version,
      report,
      supervision,
      ...(defaultSocket === undefined ? {} : { defaultSocket }),
    });
    const server = createServer({
      runtime,
      metrics,
      logger,
      auth: tokenAuthenticator(runtime.services.tokens),
      harness: opened.mounted,
      ...(options.cockpit === undefined ? {} : { cockpit: options.cockpit }),
      config: {
        host: options.address,
        port: options.port,
        allowHosts: options.allowHosts,
        secure: options.secure,
        version: options.version,
        ...(options.linkCommand === undefined ? {} : { linkCommand: options.linkCommand }),
        ...(options.bodyBytes === undefined ? {} : { limits: { bodyBytes: options.bodyBytes } }),
      },
    });
    await runtime.start();
    const { url } = await listen(server, options);
    const listening = await listenForAgents(opened, server);
    const { harness, agent, mounted, close } = opened;
    const agents = { harness, agent, close, url: `${url}${mounted.path}`, listening };
    return await announce({ runtime, server, url, agents }, options);
  } catch (error) {
    await runtime.stop();
    throw error;
  }
}

/** Before all else: what is wrong with the address says nothing about tokens or data. */
async function demandAddress(address: string): Promise<void> {
  if (isIP(address.replace(/^\[|\]$/g, "")) !== 0) return;
  await lookup(address).catch((cause: NodeJS.ErrnoException) => {
    throw new Failure("cannot_listen", `The name ${address} cannot be resolved (${cause.code}).`, {
      hint: "Give --host an address of this machine: 127.0.0.1 for itself only, 0.0.0.0 for all that reach it.",
      cause,
    });
  });
}

async function listen(server: FairleadServer, { address, port }: StartOptions): Promise<{ url: string }> {
  try {
    return await server.listen();
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    if (code === "EADDRINUSE") {
      const who = (await answers(`http://${address}:${port}`))
        ? "another Fairlead server"
        : "another program";
      throw new Failure("port_in_use", `Port ${port} of ${address} is taken by ${who}.`, { cause: error });
    }
    if (error instanceof FairleadError) throw error;
    throw new Failure("cannot_listen", message, { cause: error });
  }
}

async function listenForAgents(opened: OpenedHarness, server: FairleadServer): Promise<Listening> {
  try {
    return await opened.listen();
  } catch (error) {
    await server.close();
    throw error;
  }
}

interface Parts {
  readonly runtime: Runtime;
  readonly server: FairleadServer;
  readonly url: string;
  readonly agents: Agents;
}

async function announce(
  { runtime, server, url, agents }: Parts,
  { host, place }: StartOptions,
): Promise<Running> {
  const data = place.kind === "sqlite" ? realpathSync(place.data) : await nameOf(place);
  const cli = await makeCliToken(runtime.services.tokens, host.user, place.kind === "sqlite");
  const file = { url, token: cli.secret, pid: process.pid, data };
  writeServerFile(place.config, file);
  runtime.announce(url);
  return {
    url,
    data,
    agents,
    signIn: server.signInLink({ name: host.user, role: "admin", project: null }),
    async drain(graceMs) {
      // Commands look for another server from here on.
      removeServerFile(place.config, file);
      server.drain();
      await runtime.drain(graceMs);
    },
    async stop() {
      removeServerFile(place.config, file);
      await agents.listening.close();
      await server.close();
      await agents.close();
      try {
        await cli.revoke();
      } finally {
        // Also where the store is away: the next server revokes what is left, and this process ends.
        await runtime.stop();
      }
    },
  };
}
