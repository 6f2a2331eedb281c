import { createInterface } from "node:readline";
import type { QuestionRow } from "@fairlead/contract";
import type { Backend } from "../backend.ts";
import { decideByLine, type NextLine } from "../chat/ask-by-line.ts";
import { type CommonOptions, type Context, withBackend } from "../command.ts";
import type { ConnectOptions } from "../connect.ts";
import { questionTable } from "./approvals.ts";

const MOST = 50;

/** All that waits. A person at a terminal is then asked about each, the oldest first; nobody else decides anything. */
export async function decideWaiting(
  context: Context,
  options: ConnectOptions & CommonOptions,
): Promise<void> {
  const { out, host } = context;
  await withBackend(context, options, {}, async (backend) => {
    const page = await backend.listQuestions({ state: "pending", limit: MOST });
    if (out.json) return out.value(page);
    const { rows, cursor } = page;
    if (rows.length === 0) return out.note("Nothing waits for a decision.");
    await out.line(questionTable(rows, out.columns));
    if (cursor !== null) out.note(`These are the newest ${rows.length}; there are more.`);
    if (out.live && process.stdin.isTTY) return askEach(context, backend, rows.toReversed());
    out.note(`Decide: ${host.self} approve ID, or ${host.self} deny ID`);
  });
}

async function askEach({ out }: Context, backend: Backend, rows: readonly QuestionRow[]): Promise<void> {
  const lines = createInterface({ input: process.stdin, terminal: false });
  const typed = lines[Symbol.asyncIterator]();
  const next: NextLine = async () => {
    const { done, value } = await typed.next();
    return done === true ? undefined : value;
  };
  try {
    for (const { request_id } of rows) {
      await out.line("");
      const row = await decideByLine(backend, request_id, out, next, true);
      if (row === undefined) return;
      await out.line(
        row.state === "pending" ? `${request_id} still waits.` : `${request_id} is ${row.state}.`,
      );
    }
  } finally {
    lines.close();
  }
}
