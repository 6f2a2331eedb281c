import type { AddressInfo, Socket } from "node:net";
import { FairleadError } from "@fairlead/contract";
import type { FastifyInstance } from "fastify";
import { SYSTEM_ACTOR } from "../domain/actor.ts";
import type { Tokens } from "../services/types.ts";
import { observeRequests } from "./access-log.ts";
import { type Grant, loginLinks } from "./auth/login-links.ts";
import { watchRevocations } from "./auth/revocations.ts";
import { bindRoutes } from "./bind.ts";
import { bindCockpit } from "./cockpit/bind.ts";
import { withLinkCommand } from "./cockpit/told.ts";
import type { ServerDeps } from "./config.ts";
import { linkCommandOf } from "./link-command.ts";
import { createGate } from "./gate.ts";
import type { Context } from "./handlers.ts";
import { isLoopback, ownNameUrl, type Served, urlHost } from "./host-check.ts";
import { createHttp } from "./http.ts";
import { LIMITS } from "./limits.ts";
import { createMetrics } from "./metrics.ts";
import { allHandlers } from "./routes/all.ts";
import { bindHarness } from "./routes/harness.ts";
import { bindHome } from "./routes/home.ts";
import { createEncoder } from "./sse/encode.ts";
import { createStreams } from "./sse/streams.ts";
import { createUpgrades } from "./upgrades.ts";

export interface SignInLink {
  readonly url: string;
  /** The same, by a name whose cookies no other server on this machine gets. Old browsers may not find it. */
  readonly browser_url: string;
  readonly expires_at: string;
}

export interface FairleadServer {
  /** Rejects when the address is taken, or with `token_required` when it is not loopback and the store has no API token. */
  listen(): Promise<{ readonly url: string; readonly port: number }>;
  /** A one-time link that signs a browser in as the grant says. Only while it listens. */
  signInLink(grant: Grant): SignInLink;
  /** Says that it is no longer ready, ends streams with a hint to come back, and begins no session. All else is still answered. */
  drain(): void;
  /** Requests under way finish, streams end with a hint to come back, and what is left after a while is cut. */
  close(): Promise<void>;
}

/** The runtime over HTTP. Does not own the runtime: close the server first, then stop that. */
export function createServer(deps: ServerDeps): FairleadServer {
  const { runtime, auth, config, logger } = deps;
  const { log, services, clock, ids } = runtime;
  const limits = { ...LIMITS, ...config.limits };
  const metrics = deps.metrics ?? createMetrics();
  const secure = config.secure ?? false;
  // A name that means two addresses would open two sockets, the second without our limits.
  const host = config.host === "localhost" ? "127.0.0.1" : config.host;
  let served: Served = { host, port: config.port, allowHosts: config.allowHosts ?? [], secure };
  let stopping: Promise<void> | undefined;
  let draining = false;
  const sockets = new Set<Socket>();

  const streams = createStreams({
    auth,
    heartbeatMs: limits.heartbeatMs,
    perActor: limits.streamsPerActor,
    now: () => clock.now(),
  });
  const links = loginLinks({ clock, ttlMs: limits.loginLinkMs, most: limits.loginLinks });
  metrics.openStreams = () => streams.size;

  const upgrades = createUpgrades({
    logger,
    ...(deps.harness === undefined ? {} : { harnessPath: deps.harness.path }),
  });
  const app = createHttp({ limits, ids, logger, upgrades: upgrades.wanted });
  app.server.on("connection", (socket) => {
    sockets.add(socket);
    socket.once("close", () => sockets.delete(socket));
  });
  app.decorateRequest("actor", null);
  app.decorateRequest("credential", null);
  app.decorateRequest("streamed", false);
  app.addHook(
    "onRequest",
    createGate({
      auth,
      limits,
      served: () => served,
      stopping: () => stopping !== undefined,
      connections: () => sockets.size,
    }),
  );
  observeRequests(app, logger, metrics);

  const linkCommand = linkCommandOf(config);
  const cockpit = deps.cockpit && {
    ...deps.cockpit,
    document: withLinkCommand(deps.cockpit.document, linkCommand),
  };
  const context: Context = {
    log,
    services,
    auth,
    streams,
    links,
    metrics,
    logger,
    limits,
    encoder: createEncoder(),
    version: config.version,
    linkCommand,
    document: cockpit?.document,
    served: () => served,
    now: () => clock.now(),
    demandTaking() {
      if (draining) throw new FairleadError("shutting_down");
    },
  };
  bindRoutes(app, allHandlers(context));
  if (cockpit === undefined) bindHome(app, context);
  else bindCockpit(app, cockpit);
  if (deps.harness !== undefined) bindHarness(app, deps.harness);
  upgrades.bind(app);

  const ending = new AbortController();
  function endStreams(): void {
    ending.abort();
    streams.stop();
    deps.harness?.close();
  }

  const urlOf = (name: string): string => `${secure ? "https" : "http"}://${urlHost(name)}:${served.port}`;

  return {
    async listen() {
      if (!isLoopback(host)) await demandToken(services.tokens, clock.now(), host);
      await app.listen({ host, port: config.port });
      const { port } = app.server.address() as AddressInfo;
      served = { ...served, port };
      void watchRevocations(log, ending.signal, streams.recheck);
      return { url: urlOf(WILDCARDS[host] ?? host), port };
    },
    signInLink(grant) {
      const { code, expiresAt } = links.create(grant);
      const base = urlOf(WILDCARDS[host] ?? host);
      const path = `/auth/login?code=${code}`;
      return {
        url: `${base}${path}`,
        browser_url: `${ownNameUrl(served) ?? base}${path}`,
        expires_at: new Date(expiresAt).toISOString(),
      };
    },
    drain() {
      draining = true;
      streams.stop();
    },
    close() {
      stopping ??= stop(app, sockets, endStreams, limits.stopMs);
      return stopping;
    },
  };
}

const WILDCARDS: Readonly<Record<string, string>> = { "0.0.0.0": "127.0.0.1", "::": "::1" };
const SWEEP_MS = 25;

async function stop(
  app: FastifyInstance,
  sockets: ReadonlySet<Socket>,
  endStreams: () => void,
  stopMs: number,
): Promise<void> {
  const closed = app.close();
  endStreams();
  // To Node a connection is idle only after an answer has gone out; one that never asked is not.
  for (const socket of sockets) if (socket.bytesRead === 0) socket.destroy();
  const sweep = setInterval(() => app.server.closeIdleConnections(), SWEEP_MS);
  // Of those that have become something else than HTTP, Node knows nothing.
  const cut = setTimeout(() => {
    for (const socket of sockets) socket.destroy();
  }, stopMs);
  await closed;
  clearInterval(sweep);
  clearTimeout(cut);
}

/** Whoever can reach the address can try: without a token nobody could be told from anybody. */
async function demandToken(tokens: Tokens, now: number, host: string): Promise<void> {
  const usable = (await tokens.list(SYSTEM_ACTOR)).some(
    ({ purpose, revoked_at, expires_at }) =>
      purpose === "api" && revoked_at === null && (expires_at === null || Date.parse(expires_at) > now),
  );
  if (usable) return;
  throw new FairleadError("token_required", {
    message: `${host} can be reached by other machines, and there is no API token yet.`,
    details: { host },
  });
}
