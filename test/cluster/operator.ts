import { setTimeout as passes } from "node:timers/promises";
import type { Client } from "@fairlead/client";
import type { Deed } from "../chaos/ledger.ts";

/** Who is frozen does not answer: another is asked. */
const ANSWER_MS = 3_000;
const AGAIN_MS = 100;
const PATIENCE = 400;

/** Asks again, perhaps somebody else, while nobody answers. Only for what may be asked twice. */
export async function asked<T>(ask: (signal: AbortSignal) => Promise<T>): Promise<T> {
  for (let tries = 1; ; tries++) {
    try {
      return await ask(AbortSignal.timeout(ANSWER_MS));
    } catch (error) {
      const status = (error as { status?: number | null }).status ?? 503;
      if (status < 500 || tries === PATIENCE) throw error;
      await passes(AGAIN_MS);
    }
  }
}

/**
 * Starts so many, from this number on, in the directory that each is to work on. The same key each time: a start whose
 * answer was lost is not a second session.
 */
export async function startSessions(
  client: Client,
  first: number,
  count: number,
  workspaceOf: (n: number) => string,
): Promise<string[]> {
  const started: string[] = [];
  for (let n = first; n < first + count; n++) {
    const body = {
      task: `Job ${n}.`,
      permission_mode: n % 3 === 0 ? ("normal" as const) : ("full_access" as const),
      approval_mode: "on_request" as const,
      max_retries: 50,
      workspace: workspaceOf(n),
    };
    const row = await asked((signal) =>
      client.call("startSession", { body, idempotencyKey: `job-${n}`, signal }),
    );
    started.push(row.session_id);
  }
  return started;
}

/**
 * Answers whatever is asked, until it is called off. Approvals with yes; of a call that was lost, what is seen outside:
 * that it happened, or to run it again.
 */
export async function answerAll(
  client: Client,
  deeds: () => readonly Deed[],
  over: AbortSignal,
): Promise<void> {
  while (!over.aborted) {
    const { rows } = await asked((signal) =>
      client.call("listQuestions", { query: { state: "pending", limit: 200 }, signal }),
    );
    for (const { request_id, kind, session_id, tool_call_id } of rows) {
      const happened = deeds().some(
        (deed) => deed.session_id === session_id && deed.tool_call_id === tool_call_id,
      );
      const answer = { answer: { outcome: happened ? "happened" : "run_again" } };
      const body = { decision: "approved" as const, ...(kind === "approval" ? {} : answer) };
      await asked((signal) =>
        client.call("decideQuestion", { params: { id: request_id }, body, signal }),
      ).catch(unlessDecided);
    }
    await passes(AGAIN_MS);
  }
}

/** The answer to our own decision was lost, and it counts; or the turn that asked has ended. */
function unlessDecided(error: unknown): void {
  const { code } = error as { code?: string };
  if (code !== "question_decided" && code !== "question_expired") throw error;
}
