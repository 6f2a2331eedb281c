import { type Call, createClient, ServerUnreachable } from "@fairlead/client";
import type { QuestionRow, SessionRow } from "@fairlead/contract";
import { readDeeds } from "./ledger.ts";

/** What a person wants of the server. All of it can be wanted again: keys keep it from being done twice. */
export interface Person {
  readonly call: Call;
  /** Answers what is asked, until this session has nothing more to do. */
  settle(session: string): Promise<void>;
}

/** How soon a person looks again; who sees nothing new looks less and less often. */
const LOOK_MS = { first: 20, most: 250 } as const;
const PATIENCE_MS = 120_000;
const ENDS: readonly string[] = ["completed", "needs_review", "failed", "cancelled"];
/** What nobody agrees to. */
const UNWANTED = "wipe";

export type Plan = (person: Person) => Promise<void>;

/** Follows the plan to its end, or until the server is gone. Rejects when neither comes. */
export async function follow(plan: Plan, url: string, world: string): Promise<"ended" | "lost"> {
  const patience = AbortSignal.timeout(PATIENCE_MS);
  const { call } = createClient({
    url,
    token: "anyone",
    fetch: (address, init) => fetch(address, { ...init, signal: patience }),
  });
  try {
    await plan({ call, settle: (session) => settle(call, session, world, patience) });
    return "ended";
  } catch (error) {
    if (error instanceof ServerUnreachable && !patience.aborted) return "lost";
    throw error;
  }
}

async function settle(call: Call, session: string, world: string, patience: AbortSignal): Promise<void> {
  let seen = 0;
  let pause: number = LOOK_MS.first;
  for (;;) {
    const row = await call("getSession", { params: { id: session } });
    if (isOver(row)) return;
    if (patience.aborted) throw new Error(`${session} is ${row.status} and does not come to its end.`);
    const { rows } = await call("listQuestions", { query: { state: "pending" } });
    for (const question of rows) await answer(call, question, world);
    pause = row.head_seq === seen ? Math.min(LOOK_MS.most, pause * 1.5) : LOOK_MS.first;
    seen = row.head_seq;
    await new Promise<void>((resolve) => void setTimeout(resolve, pause));
  }
}

function isOver({ kind, status, turn_id }: SessionRow): boolean {
  return kind === "background" ? ENDS.includes(status) : turn_id === null;
}

/** A person who looks: what was lost has happened if the world outside says so. */
async function answer(call: Call, question: QuestionRow, world: string): Promise<void> {
  const { request_id, kind, tool_name, tool_call_id, session_id } = question;
  const happened = readDeeds(world).some(
    (deed) => deed.session_id === session_id && deed.tool_call_id === tool_call_id,
  );
  const lost = { answer: { outcome: happened ? "happened" : "run_again" } };
  const body =
    kind === "approval"
      ? { decision: tool_name === UNWANTED ? ("denied" as const) : ("approved" as const) }
      : { decision: "approved" as const, ...lost };
  await call("decideQuestion", { params: { id: request_id }, body }).catch((error: unknown) => {
    // An answer that was taken, and whose taker died before saying so.
    if ((error as { code?: string }).code !== "question_decided") throw error;
  });
}
