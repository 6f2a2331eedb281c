import type { AnyEvent, SessionId } from "@fairlead/contract";
import { setTimeout as sleep } from "node:timers/promises";
import type { Message } from "../../src/ports/model.ts";
import type { Tool } from "../../src/ports/tool.ts";
import { scriptedModel } from "../../src/models/scripted.ts";
import { type World, type WorldOptions, actor, world } from "../support/world.ts";

export const ADA = actor("operator", "ada");

function tool(name: string, access: "read" | "write"): Tool {
  return {
    spec: { name, description: `Does ${name}.`, parameters: { type: "object" } },
    access,
    effect: access === "read" ? "none" : "once",
    parallel: access === "read",
    timeoutMs: 1_000,
    origin: "test",
    run: async () => ({ result: `${name} done` }),
  };
}

/** Looks twice side by side, sends something that a person must allow, and says so. */
const SCRIPT = {
  rules: [
    { when: "hang", do: [{ say: "I begin" }, { hang: true as const }] },
    {
      when: "send",
      rounds: [
        [{ say: "Let me look." }, { call: "look", id: "c1" }, { call: "look", id: "c2" }],
        [{ call: "send", id: "c3" }],
        [{ say: "Sent." }],
      ],
    },
    { do: [{ say: "Answer to {{prompt}}" }] },
  ],
};

export function branchWorld(options: WorldOptions = {}): World {
  return world({
    tools: [tool("look", "read"), tool("send", "write")],
    models: [scriptedModel({ script: SCRIPT }), { ...scriptedModel({ script: SCRIPT }), id: "other" }],
    ...options,
  });
}

/** Waits for real stores too: they take more than a few turns of the event loop. */
export async function until(holds: () => Promise<boolean>): Promise<void> {
  for (let i = 0; i < 2_000; i++) {
    if (await holds()) return;
    await sleep(2);
  }
  throw new Error("it did not come to that");
}

export async function say(w: World, session: SessionId, input: string): Promise<void> {
  await w.services.turns.start(ADA, session, { input });
  await idle(w, session);
}

export const idle = (w: World, session: SessionId) =>
  until(async () => (await w.services.sessions.get(ADA, session)).turn_id === null);

export const waiting = (w: World, session: SessionId) =>
  until(async () => (await w.services.sessions.get(ADA, session)).status === "awaiting_approval");

/** A session with a plain turn and one with tools and an approval, both over. */
export async function workedSession(w: World): Promise<SessionId> {
  const { session_id } = await w.services.sessions.create(ADA, { title: "Mail", alias: "mail" });
  await say(w, session_id, "hello");
  await w.services.turns.start(ADA, session_id, { input: "send it" });
  await waiting(w, session_id);
  const { rows } = await w.services.questions.list(ADA, { session_id, state: "pending" });
  await w.services.questions.decide(ADA, rows[0]?.request_id ?? "", { decision: "approved" });
  await idle(w, session_id);
  return session_id;
}

export async function whole(w: World, session: SessionId): Promise<readonly AnyEvent[]> {
  const events: AnyEvent[] = [];
  for (let after: number | null = 0; after !== null;) {
    const page = await w.log.read(session, { after, history: "full", limit: 1_000 });
    events.push(...page.events);
    after = page.next;
  }
  return events;
}

/** What a model would not take: a call without its answer at once, an answer without its call. */
export function faults(messages: readonly Message[]): string[] {
  const found: string[] = [];
  let open: string[] = [];
  for (const [i, message] of messages.entries()) {
    if (message.role === "tool") {
      if (!open.includes(message.tool_call_id)) found.push(`${i}: ${message.tool_call_id} was not asked for`);
      open = open.filter((id) => id !== message.tool_call_id);
      continue;
    }
    if (open.length > 0) found.push(`${i}: ${open.join(", ")} got no answer`);
    open = message.role === "assistant" ? (message.tool_calls ?? []).map((call) => call.tool_call_id) : [];
  }
  if (open.length > 0) found.push(`end: ${open.join(", ")} got no answer`);
  return found;
}
