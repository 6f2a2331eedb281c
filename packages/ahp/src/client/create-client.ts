import type { z } from "zod";

import { withDefaults } from "../defaults.ts";
import { check } from "../protocol/check.ts";
import { AhpError } from "../protocol/errors.ts";
import type { AhpEvent } from "../protocol/event.ts";
import { AHP_EVENTS } from "../protocol/events.ts";
import type { GenericDecision } from "../protocol/events/generic.ts";
import type { HarnessConfig } from "../protocol/methods.ts";
import { BatchResult, QueryResult } from "../protocol/methods.ts";
import type { Transport } from "../transport/transport.ts";
import { createCaller } from "./caller.ts";
import type { AhpClient } from "./client.ts";
import { createEnvelope, readEnvelope } from "./envelope.ts";
import { greet, helloOf } from "./greet.ts";
import { createLine } from "./line.ts";
import type { CallOptions, ClientOptions } from "./options.ts";
import { CLIENT_DEFAULTS } from "./options.ts";
import { readNotice, readOutgoingBatch, readQuestion } from "./outgoing.ts";
import { createSlots } from "./slots.ts";

/** A client that has not greeted yet: call `handshake` first, or use `connect`. */
export function createClient(transport: Transport, options: ClientOptions): AhpClient {
  const settings = withDefaults(
    {
      ...CLIENT_DEFAULTS,
      random: Math.random,
      newId: countingIds(),
      now: () => new Date(),
      onStray: () => {},
    },
    options,
  );
  const { sessionId, agentId, timeoutMs, newId, onStray } = settings;
  const envelope = createEnvelope(settings);
  const line = createLine({
    transport,
    timeoutMs,
    onStray,
    greet: (connection, signal) => greet(connection, helloOf(options), { id: newId(), timeoutMs, signal }),
  });
  const slots = createSlots({ inFlight: settings.maxInFlight, queued: settings.maxQueued });
  const caller = createCaller({ ...settings, line, slots });

  /** Nothing but a handshake may come first; after it, the limits of the harness are known. */
  function limits(): HarnessConfig {
    if (line.harness === undefined) throw new AhpError("handshake_required", "Handshake first");
    return line.harness.config ?? {};
  }

  async function question(given: AhpEvent | AhpError, options: CallOptions): Promise<unknown> {
    const event = orThrow(readQuestion(given, limits()));
    const result = await caller.ask("ahp/event", event, options, true);
    const schema = AHP_EVENTS[event.event_type].decision as z.ZodType;
    return orThrow(check(schema, result, "bad_answer", `Invalid ${event.event_type} decision`));
  }

  async function notice(given: AhpEvent | AhpError, options: CallOptions): Promise<void> {
    const event = orThrow(readNotice(given, limits()));
    await caller.tell("ahp/event", event, options);
  }

  async function batch(
    given: readonly (AhpEvent | AhpError)[],
    options: CallOptions,
  ): Promise<GenericDecision[]> {
    const events: AhpEvent[] = orThrow(readOutgoingBatch(given, limits()));
    // Not repeated by itself: its notifications would be heard twice.
    const result = await caller.ask("ahp/batch", { events }, options, false);
    const { decisions } = orThrow(check(BatchResult, result, "bad_answer", "Invalid batch answer"));
    if (decisions.length === events.length) return decisions;
    const message = `${events.length} events were answered with ${decisions.length} decisions`;
    throw new AhpError("batch_mismatch", message);
  }

  return {
    async handshake(options = {}) {
      await caller.reach(options);
      return line.harness ?? unreachable();
    },
    // The casts restore what the table guarantees: each type is checked by its own schema.
    decide: (type, payload, options = {}) => question(envelope(type, payload, options), options) as never,
    decideEvent: (event, options = {}) => question(readEnvelope(event), options) as never,
    notify: (type, payload, options = {}) => notice(envelope(type, payload, options), options),
    notifyEvent: (event, options = {}) => notice(readEnvelope(event), options),
    async query(type, payload, options = {}) {
      limits();
      const params = { session_id: sessionId, agent_id: agentId, query_type: type, payload };
      const result = await caller.ask("ahp/query", params, options, true);
      return orThrow(check(QueryResult, result, "bad_answer", "Invalid query answer"));
    },
    batch: (entries, options = {}) =>
      batch(
        entries.map((entry) => envelope(entry.type, entry.payload, entry)),
        options,
      ),
    batchEvents: (events, options = {}) => batch(events.map(readEnvelope), options),
    get harness() {
      return line.harness;
    },
    close: line.close,
  };
}

/** Opens, greets, and gives the client ready to ask. */
export async function connect(transport: Transport, options: ClientOptions): Promise<AhpClient> {
  const client = createClient(transport, options);
  try {
    await client.handshake();
    return client;
  } catch (error) {
    await client.close();
    throw error;
  }
}

function orThrow<T>(value: T | AhpError): T {
  if (value instanceof AhpError) throw value;
  return value;
}

function unreachable(): never {
  throw new AhpError("bad_answer", "No handshake was answered");
}

/** Strings, because some peers cannot read a number; the prefix tells clients apart in a log. */
function countingIds(): () => string {
  const prefix = (crypto.getRandomValues(new Uint32Array(1))[0] ?? 0).toString(36);
  let count = 0;
  return () => `${prefix}-${(count += 1)}`;
}
