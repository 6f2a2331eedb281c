import { randomBytes } from "node:crypto";
import { createServer } from "node:http";
import type { TestProject } from "vitest/node";
import {
  type PostgresServer,
  startPostgresServer,
} from "../packages/runtime/test/support/postgres-server.ts";

/** One real PostgreSQL for the whole run, started only when a test asks, so that other runs do not pay for it. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const path = `/${randomBytes(12).toString("hex")}`;
  let server: Promise<PostgresServer> | undefined;

  const broker = createServer((request, response) => {
    if (request.url !== path) return void response.writeHead(404).end();
    // Tests of this server never cut its power, so it need not wait for the disk.
    server ??= startPostgresServer({ settings: { fsync: "off", full_page_writes: "off" } });
    server.then(
      (started) => response.end(started.url),
      (error: unknown) => response.writeHead(500).end(String(error)),
    );
  });
  const port = await new Promise<number>((resolve) => {
    broker.listen(0, "127.0.0.1", () => {
      const address = broker.address();
      resolve(typeof address === "object" && address !== null ? address.port : 0);
    });
  });
  project.provide("postgresBroker", `http://127.0.0.1:${port}${path}`);

  return async () => {
    broker.closeAllConnections();
    broker.close();
    await (await server?.catch(() => undefined))?.stop();
  };
}
