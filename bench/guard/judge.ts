import { isDeepStrictEqual } from "node:util";
import type { Guard } from "../../packages/runtime/src/services/tools/guard.ts";
import type { Case, Faulty, Ran, Sent } from "./case.ts";
import { standIn } from "./stand-in.ts";

/** As many rounds as the loop gives a model. */
const ROUNDS = 3;

export type Verdict = "stopped" | "repaired_locally" | "repaired_with_model" | "wrong_kind" | "executed";

export interface Judge {
  /** Whether the call went through as it was. */
  passes(one: Case): Promise<boolean>;
  judge(one: Case, faulty: Faulty): Promise<Verdict>;
}

/** Whatever the guard lets through is run; what the tool then saw decides. */
export function judgeWith(guard: Guard, workspace: string, ran: Ran[]): Judge {
  const attempt = async ({ tools }: Case, { name, text }: Sent) => {
    const checked = await guard({ tool_call_id: "call_1", name, arguments: text }, tools, workspace);
    if (!checked.ok) return checked.faults;
    const tool = tools.find(({ spec }) => spec.name === checked.call.name);
    await tool?.run(checked.call.arguments, {
      session_id: "ses_bench" as never,
      turn_id: "turn",
      tool_call_id: "call_1",
      workspace,
      signal: new AbortController().signal,
    });
    return checked.call.repairs;
  };
  const sawOnly = (one: Case) =>
    ran.length === 1 && isDeepStrictEqual(ran[0], { name: one.name, arguments: one.arguments });
  return {
    async passes(one) {
      ran.length = 0;
      const repairs = await attempt(one, { name: one.name, text: JSON.stringify(one.arguments) });
      return repairs.length === 0 && sawOnly(one);
    },
    async judge(one, faulty) {
      ran.length = 0;
      let faults = await attempt(one, faulty);
      if (ran.length > 0) return sawOnly(one) && faults.length > 0 ? "repaired_locally" : "executed";
      if (!faults.some(({ kind }) => kind === faulty.kind)) return "wrong_kind";
      let sent: Sent | undefined = faulty;
      for (let round = 0; round < ROUNDS; round++) {
        sent = standIn(
          sent,
          faults.map(({ error }) => error),
        );
        if (sent === undefined) break;
        faults = await attempt(one, sent);
        // Another call than the one that was meant is the stand-in's own, and counts as not repaired.
        if (ran.length > 0) return sawOnly(one) ? "repaired_with_model" : "stopped";
      }
      return "stopped";
    },
  };
}
