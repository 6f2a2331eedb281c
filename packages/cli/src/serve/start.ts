import { realpathSync } from "node:fs";
import type { Runtime } from "@fairlead/runtime";
import { removeServerFile, writeServerFile } from "@fairlead/runtime/local";
import {
  createMetrics,
  createServer,
  type FairleadServer,
  type Logger,
  observedLog,
  tokenAuthenticator,
} from "@fairlead/runtime/serve";
import { answers } from "../connect.ts";
import { Failure } from "../failure.ts";
import type { Host } from "../host.ts";
import { openRuntime } from "../open-runtime.ts";
import { nameOf, type Place } from "../place.ts";
import { makeCliToken } from "./cli-token.ts";

export interface StartOptions {
  readonly host: Host;
  readonly place: Place;
  readonly address: string;
  readonly port: number;
  readonly allowHosts: readonly string[];
  readonly secure: boolean;
  readonly bodyBytes?: number;
  readonly version: string;
  readonly logger: Logger;
}

export interface Running {
  readonly url: string;
  /** Signs one browser in, once, for a short while. */
  readonly signIn: { readonly url: string; readonly expires_at: string };
  /** The data directory, or the database without its password. */
  readonly data: string;
  /** Ends what is under way, records it, and forgets the credential. */
  stop(): Promise<void>;
}

/** The whole server, put together. Throws a `Failure` or a `FairleadError` that says what to do. */
export async function startServer(options: StartOptions): Promise<Running> {
  const { host, place, logger } = options;
  const metrics = createMetrics();
  const runtime = await openRuntime(host, place, {
    workspace: host.cwd,
    observe: (log) => observedLog(log, metrics),
    report: (err) => logger.error({ err }, "failed in the background"),
  });
  try {
    const server = createServer({
      runtime,
      metrics,
      logger,
      auth: tokenAuthenticator(runtime.services.tokens),
      config: {
        host: options.address,
        port: options.port,
        allowHosts: options.allowHosts,
        secure: options.secure,
        version: options.version,
        ...(options.bodyBytes === undefined ? {} : { limits: { bodyBytes: options.bodyBytes } }),
      },
    });
    await runtime.start();
    const { url } = await listen(server, options);
    return await announce(runtime, server, url, options);
  } catch (error) {
    await runtime.stop();
    throw error;
  }
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
    throw new Failure("cannot_listen", message, { cause: error });
  }
}

async function announce(
  runtime: Runtime,
  server: FairleadServer,
  url: string,
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
    signIn: server.signInLink({ name: host.user, role: "admin", project: null }),
    async stop() {
      removeServerFile(place.config, file);
      await server.close();
      await cli.revoke();
      await runtime.stop();
    },
  };
}
