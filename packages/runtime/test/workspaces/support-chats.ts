import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { AnyEvent, HealthyRow, SessionId } from "@fairlead/contract";
import type { Rule, Step } from "../../src/models/script.ts";
import { scriptedModel } from "../../src/models/scripted.ts";
import { delegate } from "../../src/tools/delegate.ts";
import { ADA, staged } from "../kernel/support.ts";
import type { World, WorldOptions } from "../support/world.ts";
import { DONE, patiently, put, saidOf, tools, worldOf } from "./support-background.ts";
import type { Lab } from "./support.ts";

export const READ: Step = { call: "read_file", with: { path: "one.txt" } };
export const FIRST: Rule = { when: "first", rounds: [[READ], [put("one.txt", "1")], [DONE]] };
export const SECOND: Rule = { when: "second", rounds: [[put("one.txt", "2")], [DONE]] };
export const OTHER: Rule = { when: "other", rounds: [[put("two.txt", "b")], [DONE]] };
export const LOOK: Rule = { when: "look", rounds: [[READ], [DONE]] };

export function worldFor(l: Lab, rules: readonly Rule[], options: WorldOptions = {}): World {
  return worldOf(l, [], {
    tools: [...tools(l), delegate()],
    models: [scriptedModel({ script: { rules: [...rules] } })],
    ...options,
  });
}

export async function chat(w: World): Promise<SessionId> {
  return (await w.services.sessions.create(ADA, { permission_mode: "full_access" })).session_id;
}

export async function say(w: World, session_id: SessionId, input: string): Promise<void> {
  await w.services.turns.start(ADA, session_id, { input });
  await patiently(staged(w, { session_id } as HealthyRow), "idle");
}

/** A branch, what it says of its files, and what one of them is. */
export async function branchAt(w: World, event: AnyEvent | undefined) {
  const row = await w.services.branches.branch(ADA, event?.stream ?? "", { from_event_id: event?.id ?? "" });
  const said = (await saidOf(w, row.session_id)) as Record<string, unknown>;
  return { row, said, one: textOf(String(row.state?.workspace), "one.txt") };
}

export function textOf(root: string, path: string): string | null {
  try {
    return readFileSync(join(root, path), "utf8");
  } catch {
    return null;
  }
}
