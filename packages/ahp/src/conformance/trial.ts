import assert from "node:assert/strict";

import { GenericDecision } from "../protocol/events/generic.ts";
import type { HarnessConfig, MethodName } from "../protocol/methods.ts";
import { HELLO } from "./samples/messages.ts";
import type { Heard } from "./script.ts";
import { HEARD } from "./script.ts";
import type { Target } from "./target.ts";
import type { Answered, Wire } from "./wires/wire.ts";

/** What a server check works with: a harness, a greeted connection, and ways to ask. */
export interface Trial {
  readonly target: Target;
  /** Greeted, and shared by the checks that do it no harm. */
  readonly wire: Wire;
  readonly config: HarnessConfig;
  /** A greeted connection to the harness with the generic handler alone. */
  generic(): Promise<Wire>;
  /** A name that no other check uses. */
  tag(): string;
}

let names = 0;

export function newName(): string {
  names += 1;
  return `${process.pid.toString(36)}-${Date.now().toString(36)}-${names}`;
}

export async function openTrial(target: Target): Promise<Trial> {
  const wire = await target.open();
  const answer = await greet(wire);
  const { config } = answer.result as { config?: HarnessConfig };
  let opened: Promise<Wire> | undefined;
  return {
    target,
    wire,
    config: config ?? {},
    tag: newName,
    generic: () => (opened ??= openGeneric(target)),
  };
}

async function openGeneric(target: Target): Promise<Wire> {
  assert.ok(target.openGeneric);
  const wire = await target.openGeneric();
  await greet(wire);
  return wire;
}

export function greet(wire: Wire, given: Record<string, unknown> = {}): Promise<Answered> {
  return ask(wire, "ahp/handshake", { ...HELLO, ...given });
}

/** Sends a request and gives its answer; answers to earlier messages are not looked at. */
export async function ask(
  wire: Wire,
  method: MethodName | (string & {}),
  params: unknown,
): Promise<Answered> {
  const id = newName();
  const before = wire.inbox.texts.length;
  await wire.send(JSON.stringify({ jsonrpc: "2.0", id, method, params }));
  return wire.inbox.find((message) => message.id === id, before);
}

export async function askEvent(wire: Wire, event: unknown): Promise<Answered> {
  return ask(wire, "ahp/event", event);
}

export function tell(wire: Wire, method: MethodName | (string & {}), params: unknown): Promise<void> {
  return wire.send(JSON.stringify({ jsonrpc: "2.0", method, params }));
}

/** What the harness heard under a tag; also a barrier: earlier messages have been taken. */
export async function heard(wire: Wire, tag: string): Promise<Heard[]> {
  const payload = { tag };
  const query = { session_id: "sess-1", agent_id: "agent-1", query_type: HEARD, payload };
  const { result } = await ask(wire, "ahp/query", query);
  return (result as { answer: Heard[] }).answer;
}

export function assertResult(answer: Answered, expected: unknown): void {
  assert.deepEqual(answer.error ?? undefined, undefined, "an error came instead of a result");
  assert.equal(answer.jsonrpc, "2.0");
  assert.deepEqual(answer.result, expected);
}

/** Some generic decision: a foreign harness need not allow what the suite asks. */
export function assertDecided(answer: Answered): void {
  assert.equal(answer.jsonrpc, "2.0");
  assert.deepEqual(answer.error ?? undefined, undefined, "an error came instead of a decision");
  GenericDecision.parse(answer.result);
}

export function assertError(answer: Answered, code: number): void {
  assert.equal(answer.jsonrpc, "2.0");
  assert.equal(answer.error?.code, code, `answered ${JSON.stringify(answer).slice(0, 200)}`);
  assert.equal(typeof answer.error?.message, "string");
  assert.equal(answer.result ?? undefined, undefined, "an error must not come with a result");
}
