import type { HealthyRow, SessionId, SessionStatus } from "@fairlead/contract";
import { hostFiles } from "../../src/host/workspace-files.ts";
import type { Step } from "../../src/models/script.ts";
import { scriptedModel } from "../../src/models/scripted.ts";
import type { Tool } from "../../src/ports/tool.ts";
import { readFile } from "../../src/tools/read-file.ts";
import { writeFile } from "../../src/tools/write-file.ts";
import { ADA, staged, type Stage } from "../kernel/support.ts";
import { everything, type World, world, type WorldOptions } from "../support/world.ts";
import type { Lab } from "./support.ts";

export const put = (path: string, content: string): Step => ({ call: "write_file", with: { path, content } });
export const DONE: Step = { say: "All done." };

export function tools(l: Lab): Tool[] {
  const files = hostFiles({ hidden: [l.data], fixed: [] });
  return [writeFile(files), readFile(files)];
}

export function worldOf(l: Lab, rounds: readonly (readonly Step[])[], options: WorldOptions = {}): World {
  return world({
    tools: tools(l),
    workspace: l.project,
    workspaces: l.workspaces,
    models: [scriptedModel({ script: { rules: [{ rounds: rounds.map((round) => [...round]) }] } })],
    ...options,
  });
}

export async function start(
  w: World,
  input: Partial<Parameters<World["services"]["kernel"]["start"]>[1]> = {},
): Promise<Stage> {
  const first = await w.services.kernel.start(ADA, {
    task: "Write it down.",
    permission_mode: "full_access",
    ...input,
  });
  return staged(w, first);
}

export async function patiently(play: Stage, ...statuses: readonly SessionStatus[]): Promise<HealthyRow> {
  for (let i = 0; i < 20; i++) {
    try {
      return await play.until(...statuses);
    } catch (error) {
      if (i === 19) throw error;
    }
  }
  throw new Error("unreachable");
}

export const artifacts = async (w: World, session: SessionId, kind: string) =>
  (await everything(w.log, session)).flatMap((event) => {
    const { artifact } = event.data as { artifact?: Record<string, unknown> };
    return artifact?.["kind"] === kind ? [{ ...artifact, seq: event.seq, event_id: event.id }] : [];
  }) as { seq: number; event_id: string; [key: string]: unknown }[];

/** What a branch says of its files. */
export async function saidOf(w: World, session: SessionId): Promise<unknown> {
  const [seed] = await everything(w.log, session);
  return (seed?.data as { details?: { workspace?: unknown } } | undefined)?.details?.workspace;
}
