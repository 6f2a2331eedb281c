import type { ServerChecks } from "../check.ts";
import { ask, assertError, assertResult } from "../trial.ts";

const QUERY = { session_id: "sess-1", agent_id: "agent-1", query_type: "test", payload: { a: [1] } };

export const query: ServerChecks = {
  "query:answer": async ({ wire }) => {
    const answer = { echo: QUERY.payload };
    assertResult(await ask(wire, "ahp/query", QUERY), { answer, reason: "no such query" });
  },
  "query:params": async ({ wire }) => {
    for (const field of Object.keys(QUERY)) {
      assertError(await ask(wire, "ahp/query", { ...QUERY, [field]: undefined }), -32602);
    }
    assertError(await ask(wire, "ahp/query", { ...QUERY, query_type: 3 }), -32602);
  },
  "query:null-payload": async ({ wire }) => {
    const answer = { echo: null };
    const asked = await ask(wire, "ahp/query", { ...QUERY, payload: null });
    assertResult(asked, { answer, reason: "no such query" });
  },
};
