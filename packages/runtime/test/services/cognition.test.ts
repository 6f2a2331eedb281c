import { describe, expect, it } from "vitest";
import { is } from "../../src/domain/event.ts";
import { systemClock } from "../../src/host/clock.ts";
import { createRetriever } from "../../src/retrieval/retriever.ts";
import { look, model, scene } from "../golden/scene.ts";
import { hook, hookPlace } from "../hooks/support.ts";
import { DONE, model as says, stage } from "../kernel/support.ts";
import { tree } from "../tools/support.ts";
import { delegated, delegating } from "./delegation-support.ts";

const USAGE = { input_tokens: 10, output_tokens: 5 };
const RULES = `rules:
  - { id: i, on: [intent_detection], decide: allow, detected_intent: locate, confidence: 0.9 }
  - id: m
    on: [memory_recall]
    decide: allow
    injected_facts: [{ content: Leases last three seconds., source: notes, confidence: 0.8 }]
`;

describe("the summary of a turn's cognition", () => {
  it("says what was meant, what was remembered and from where, who asked, what stopped it and what it may use", async () => {
    using t = tree();
    t.put(
      "src/lease.ts",
      "/** Renews the lease while a turn is driven. */\nexport function keepLease() {}\n",
    );
    const place = hookPlace();
    const play = await scene({
      models: [
        model({
          rounds: [[{ call: "look", with: { what: "up" } }], [{ usage: USAGE }, { say: "Done." }]],
        }),
      ],
      tools: [look],
      rules: RULES,
      retriever: createRetriever({ files: t.files, clock: systemClock }),
      workspace: t.workspace,
      // Nobody trusts it, so it stops what it is asked about.
      hooks: { hooks: [hook({ tools: ["look"] })], host: place.host },
      limits: { steps: 7 },
    });
    await play.start("How is a lease kept?");
    await play.rest();
    const events = await play.events();
    const started = events.find((event) => is(event, "runtime.request.started"));
    expect(started?.data).toMatchObject({ actor: "ada" });
    const retrieved = events.find((event) => is(event, "runtime.retrieval.completed"));
    const citations = retrieved !== undefined && is(retrieved, "runtime.retrieval.completed");
    const [cited] = citations ? retrieved.data.citations : [];
    expect(cited).toMatchObject({ path: "src/lease.ts" });
    const [summary] = events.flatMap((event) => (is(event, "runtime.cognition.summary") ? [event.data] : []));
    expect(summary?.guardrails).toContainEqual({ name: "blocked_by_hooks", count: 1 });
    expect(summary?.summary).toContain("blocked_by_hooks 1");
    expect(summary?.details).toMatchObject({
      perceived: { intent: { intent: "locate", confidence: 0.9, by: "rule:i" } },
      remembered: {
        retrievals: 1,
        citations: 1,
        facts: [
          { source: "supervisor", subject: "memory_recall" },
          { source: "retrieval", subject: "retrieval" },
        ],
      },
      identity: { agent: "fairlead", actor: "ada" },
      limits: { steps: 7, tokens: null, cost_usd: null, session: { tokens: null, cost_usd: null } },
      spent: { steps: 2 },
    });
    // Where it is from, and nothing of what it says.
    const { path, lines, score } = cited ?? {};
    expect(summary?.details?.["remembered"]).toMatchObject({ cited: [{ path, lines, score }] });
    expect(JSON.stringify(summary)).not.toContain("Renews the lease");
    expect(JSON.stringify(summary)).not.toContain("three seconds");
  });

  it("says nothing that the log does not: no intent, nothing remembered, nobody's limit", async () => {
    const play = await scene({ models: [model({ do: [{ say: "Hello." }] })] });
    await play.start();
    await play.rest();
    const [summary] = (await play.events()).flatMap((event) =>
      is(event, "runtime.cognition.summary") ? [event.data] : [],
    );
    expect(summary?.details).toMatchObject({
      perceived: { intent: null, injected: [] },
      remembered: { retrievals: 0, citations: 0, cited: [], facts: [] },
    });
  });

  it("says who asked for a request that waited, and what a session may use by its policy", async () => {
    const policy = { health: { max_total_tokens: 50_000, max_cost_usd: 2 } };
    const play = await stage({ models: [{ ...says([DONE]), price: { input: 0, output: 0 } }] }, { policy });
    await play.until("completed");
    expect(await play.data("runtime.cognition.summary")).toMatchObject([
      {
        details: {
          identity: { actor: "ada" },
          limits: { tokens: null, session: { tokens: 50_000, cost_usd: 2 } },
        },
      },
    ]);
  });

  it("says what a sub-agent was given along, and that the agent above asked", async () => {
    const { say, ended, of, child } = await delegating({
      script: [
        delegated({ task: "Count.", max_tokens: 9_000, max_steps: 3 }),
        { when: "Count.", do: [{ usage: USAGE }, { say: "Nine." }] },
      ],
    });
    await say("begin");
    await ended();
    expect(await of("runtime.cognition.summary", await child("subagent_1"))).toMatchObject([
      {
        details: {
          identity: { actor: "fairlead", depth: 1 },
          limits: { steps: 3, tokens: 9_000, cost_usd: null },
          spent: { steps: 1, tokens: 15, session: { tokens: 15 } },
        },
      },
    ]);
  });
});
