import { FairleadError } from "@fairlead/contract";
import type pg from "pg";

/** One connection that comes back: made when first needed, and again after it was lost. */
export interface Link {
  /** One question at a time; never asked twice. After `timeoutMs` the connection is given up and the outcome unknown. */
  ask<R extends pg.QueryResultRow>(query: pg.QueryConfig, timeoutMs: number): Promise<R[]>;
  close(): Promise<void>;
}

export function createLink(makeClient: () => pg.Client, prepare: (client: pg.Client) => Promise<void>): Link {
  let current: pg.Client | undefined;
  let closed = false;

  async function connected(): Promise<pg.Client> {
    if (closed) throw new FairleadError("shutting_down");
    if (current !== undefined) return current;
    const client = makeClient();
    await client.connect();
    client.once("end", () => void (current = current === client ? undefined : current));
    try {
      await prepare(client);
    } catch (error) {
      giveUp(client);
      throw error;
    }
    current = client;
    return client;
  }

  function giveUp(client: pg.Client): void {
    if (current === client) current = undefined;
    // Cuts the connection at once when a question is under way.
    client.end().catch(() => {});
  }

  return {
    async ask<R extends pg.QueryResultRow>(query: pg.QueryConfig, timeoutMs: number) {
      const client = await connected();
      const timer = setTimeout(() => giveUp(client), timeoutMs);
      try {
        return (await client.query<R>(query)).rows;
      } finally {
        clearTimeout(timer);
      }
    },
    async close() {
      closed = true;
      await current?.end();
    },
  };
}
