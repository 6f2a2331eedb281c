// Tools with effects outside, each a line of a ledger that is flushed before the tool goes on: what happened is known
// also when the process that did it is gone.
import { appendFileSync, existsSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { setTimeout as takes } from "node:timers/promises";
import type { ToolContext } from "../../packages/runtime/src/ports/tool.ts";
import { leaveDeed } from "../chaos/ledger.ts";
import { putFile, SENT } from "./traces.ts";

const folder = process.env["CLUSTER"] ?? "";
const parameters = { type: "object", properties: {}, additionalProperties: false } as const;
/** A tool is not done in an instant: processes die before its effect, and after. */
const BEFORE_MS = 200;
const AFTER_MS = 200;

/** Whether the session has a place of its own, and does not work in the project. */
function isOwn(workspace: string): boolean {
  return workspace !== process.cwd();
}

/** Each time it is sent, a line more. */
function send(context: ToolContext): void {
  note("send", context);
  if (isOwn(context.workspace)) appendFileSync(join(context.workspace, SENT), `${context.tool_call_id}\n`);
}

function note(tool: string, { tool_call_id, session_id }: ToolContext): void {
  leaveDeed(basename(folder), { tool, tool_call_id, session_id });
}

/** The same key does the same thing only once: the name of a file is taken once. */
function putOnce({ session_id, tool_call_id, workspace }: ToolContext): void {
  if (isOwn(workspace)) writeFileSync(join(workspace, putFile(tool_call_id)), tool_call_id);
  try {
    writeFileSync(join(folder, `put-${session_id}-${tool_call_id}`), "", { flag: "wx" });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
  }
}

async function around(effect: () => void): Promise<string> {
  await takes(BEFORE_MS);
  effect();
  await takes(AFTER_MS);
  return "done";
}

/** Ends when it is let: there is a file `go`. */
async function held({ signal }: ToolContext): Promise<string> {
  writeFileSync(join(folder, "held"), "");
  while (!existsSync(join(folder, "go"))) await takes(20, undefined, { signal });
  return "done";
}

export default [
  {
    name: "look",
    description: "Looks.",
    parameters,
    access: "read",
    effect: "none",
    run: async () => "seen",
  },
  {
    name: "put",
    description: "Puts it where it belongs.",
    parameters,
    access: "write",
    effect: "idempotent",
    run: (_: unknown, context: ToolContext) =>
      around(() => {
        note("put", context);
        putOnce(context);
      }),
  },
  {
    name: "send",
    description: "Sends it.",
    parameters,
    access: "write",
    effect: "once",
    run: (_: unknown, context: ToolContext) => around(() => send(context)),
  },
  {
    name: "hold",
    description: "Takes its time.",
    parameters,
    access: "write",
    effect: "once",
    run(_: unknown, context: ToolContext) {
      note("hold", context);
      return held(context);
    },
  },
];
