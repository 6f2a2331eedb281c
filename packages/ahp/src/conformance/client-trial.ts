import assert from "node:assert/strict";

import type { AhpClient } from "../client/client.ts";
import { createClient } from "../client/create-client.ts";
import type { ClientOptions } from "../client/options.ts";
import type { AhpErrorCode } from "../protocol/errors.ts";
import { AhpError } from "../protocol/errors.ts";
import type { Transport } from "../transport/transport.ts";
import type { Fake, Received } from "./fakes/fake.ts";
import type { TransportName } from "./transports.ts";

/** Makes the client under test; a mutant makes a broken one. */
export type ClientMaker = (transport: Transport, options: ClientOptions) => AhpClient;

/** What a client check works with. */
export interface ClientTrial {
  readonly transport: TransportName;
  readonly fake: Fake;
  /** A client that has not greeted. */
  create(options?: Partial<ClientOptions>, transport?: Transport): AhpClient;
  /** A greeted client of its own. */
  connect(options?: Partial<ClientOptions>, transport?: Transport): Promise<AhpClient>;
  /** A greeted client, shared by the checks that do it no harm. */
  shared(): Promise<AhpClient>;
}

export type ClientCheck = (trial: ClientTrial) => Promise<void>;
export type ClientChecks = Readonly<Record<string, ClientCheck>>;

/** Quick to give up, so that a broken client is found quickly. */
const OPTIONS = { sessionId: "sess-1", agentId: "agent-1", timeoutMs: 1_000, maxRetries: 0 };

export function openClientTrial(
  transport: TransportName,
  fake: Fake,
  make: ClientMaker = createClient,
): ClientTrial & { settle(): Promise<void>; close(): Promise<void> } {
  const clients = new Set<AhpClient>();
  let shared: Promise<AhpClient> | undefined;

  const create: ClientTrial["create"] = (options = {}, way = fake.transport()) => {
    const client = make(way, { ...OPTIONS, ...options });
    clients.add(client);
    return client;
  };

  async function connect(options?: Partial<ClientOptions>, way?: Transport): Promise<AhpClient> {
    const client = create(options, way);
    await client.handshake();
    return client;
  }

  return {
    transport,
    fake,
    create,
    connect,
    shared: () => (shared ??= connect()),
    /** After each check: its own clients go, the record is empty, the fake is polite again. */
    async settle() {
      const kept = await shared?.catch(() => undefined);
      const done = [...clients].filter((client) => client !== kept);
      await Promise.all(done.map((client) => client.close()));
      for (const client of done) clients.delete(client);
      fake.reset();
    },
    async close() {
      await Promise.all([...clients].map((client) => client.close()));
      await fake.close();
    },
  };
}

/** What the client sent after the handshake. */
export function sent({ fake }: ClientTrial): Received[] {
  return fake.received.filter(({ message }) => message.method !== "ahp/handshake");
}

export async function rejectsWith(call: Promise<unknown>, ...codes: AhpErrorCode[]): Promise<AhpError> {
  const error = await call.then(
    (value) => assert.fail(`accepted: ${JSON.stringify(value)}`),
    (error: unknown) => error,
  );
  if (!(error instanceof AhpError)) throw error;
  assert.ok(codes.includes(error.code), `failed as ${error.code}, not ${codes.join(" or ")}`);
  return error;
}

/** Deep equality of what JSON would carry: an unset field and an absent one are the same. */
export function sameJson(actual: unknown, expected: unknown): void {
  assert.deepEqual(JSON.parse(JSON.stringify(actual)), JSON.parse(JSON.stringify(expected)));
}

/** Waits for something the fake should see. */
export async function eventually(isSo: () => boolean, what: string): Promise<void> {
  for (let waited = 0; waited < 2_000; waited += 5) {
    if (isSo()) return;
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
  assert.fail(`never: ${what}`);
}
