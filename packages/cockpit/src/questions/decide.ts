import type { QuestionRow, RouteBody } from "@fairlead/contract";
import { call, isCode, type Problem, problemOf } from "../lib/api.ts";

export type DecisionBody = RouteBody<"decideQuestion">;

export type Decided =
  | { readonly ok: true; readonly row: QuestionRow }
  /** Somebody was faster, or time was: what stands now. */
  | { readonly ok: false; readonly row: QuestionRow; readonly problem: Problem }
  | { readonly ok: false; readonly row: null; readonly problem: Problem };

/** Sends one decision. When it comes too late, what was decided is fetched, so that the person sees it. */
export async function decide(id: string, body: DecisionBody): Promise<Decided> {
  const params = { id: id as QuestionRow["request_id"] };
  try {
    return { ok: true, row: await call("decideQuestion", { params, body }) };
  } catch (error) {
    const problem = problemOf(error);
    if (!isCode(error, "question_decided", "question_expired", "question_changed"))
      return { ok: false, row: null, problem };
    const row = await call("getQuestion", { params }).catch(() => null);
    return row === null ? { ok: false, row, problem } : { ok: false, row, problem };
  }
}
