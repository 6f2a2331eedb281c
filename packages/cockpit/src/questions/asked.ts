import { useMemo } from "react";
import { call, type Problem } from "../lib/api.ts";
import { useAsked } from "../lib/asked.ts";
import { ofRow, type Question } from "./model.ts";

/**
 * A question as the server has it, asked for until it is there, and again when `moved` changes: somebody else may have
 * decided. Null asks nothing. While it waits it stays the same object: a form that is open over it is not begun anew.
 */
export function useQuestion(
  id: string | null,
  moved: unknown,
): { readonly question: Question | null; readonly problem: Problem | null } {
  const { found, problem } = useAsked(id, moved, (signal) =>
    call("getQuestion", { params: { id: id as never }, signal }),
  );
  const row = found?.of === id ? found.value : null;
  const question = useMemo(() => (row === null ? null : ofRow(row)), [row?.request_id, row?.state]);
  return { question, problem };
}
