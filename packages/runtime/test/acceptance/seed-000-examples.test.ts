import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { anthropicModel } from "../../src/models/anthropic.ts";
import { openaiModel } from "../../src/models/openai.ts";
import type { Rule } from "../../src/models/script.ts";
import { scriptedModel } from "../../src/models/scripted.ts";
import { type ModelServer, serveModel } from "../../src/models/serve/server.ts";
import { type Live, live, type Shown } from "./live.ts";
import { EXAMPLES, says } from "./seed-000-examples.ts";

const RULES: readonly Rule[] = [
  {
    when: "roadmap",
    rounds: [
      [{ call: "local_search", id: "call-1", with: { query: "roadmap" } }],
      [{ say: "There is none." }],
    ],
  },
  {
    when: "write",
    rounds: [[{ call: "write_file", with: { path: "notes.md", content: "Here.\n" } }], [{ say: "Written." }]],
  },
  {
    when: "hand it on",
    rounds: [[{ call: "delegate", with: { task: "Count the files." } }], [{ say: "It was done." }]],
  },
  {
    when: "inspect",
    rounds: [
      [
        { call: "list_files", with: {} },
        { call: "write_file", with: { path: "seen.md", content: "All.\n" } },
      ],
      [{ say: "Inspected." }],
    ],
  },
  { do: [{ say: "A long answer. ".repeat(60) }] },
];

let home: Live;
let servers: readonly ModelServer[];
const seen: Shown[] = [];

/** Every example by a run over HTTP: real tools, and real clients of the providers against servers that speak as they do. */
beforeAll(async () => {
  const down = { rules: [{ do: [{ fail: "Primary provider failed health checks.", status: 503 }] }] };
  servers = await Promise.all([serveModel({ script: down }), serveModel({ script: { rules: [...RULES] } })]);
  const [bad, good] = servers.map(({ url }) => `${url}/v1`);
  home = await live({
    models: [
      { ...scriptedModel({ script: { rules: [...RULES] } }), contextTokens: 2_000 },
      openaiModel({ apiKey: "k", id: "gpt-5", baseUrl: bad }),
      anthropicModel({ apiKey: "k", id: "claude-sonnet-4-5", baseUrl: good }),
    ],
    runtime: { fallbacks: ["claude-sonnet-4-5"], limits: { callTries: 1 } },
  });

  const chat = await home.session();
  await home.turn(chat, "Where is the roadmap?");
  await home.turn(chat, "Please write it down.");
  for (const question of await home.questions(chat)) await home.decide(question);
  for (let i = 0; i < 10; i++) await home.turn(chat, `Tell me more, ${i}.`);
  const work = await home.json("/sessions", { task: "Inspect files", permission_mode: "full_access" });
  const background = String(work["session_id"]);
  await home.resting(background);
  const handing = await home.session();
  await home.turn(handing, "Please hand it on.");
  const elsewhere = await home.session({ model: "gpt-5" });
  await home.turn(elsewhere, "Hello?");
  for (const session of [chat, background, handing, elsewhere]) seen.push(...(await home.frames(session)));
}, 60_000);

afterAll(async () => {
  await home[Symbol.asyncDispose]();
  for (const server of servers) await server.close();
});

describe("the JSON examples of seed 000", () => {
  it.each(Object.entries(EXAMPLES))("%s: a real run says so, on the stream", (_, example) => {
    const frames = seen.filter(({ type }) => type === example.type).map(({ payload }) => payload);
    expect(
      seen.some((frame) => says(example, frame)),
      JSON.stringify(frames, null, 1).slice(0, 4_000),
    ).toBe(true);
  });

  it("are looked for closely: a field less, another type or another value is not what they say", () => {
    const example = EXAMPLES["another provider stands in"]!;
    const { type, payload } = example;
    expect(says(example, { type, payload: { ...payload, more: 1 } })).toBe(true);
    const { failure_count: _, ...less } = payload;
    for (const wrong of [less, { ...payload, failure_count: "1" }, { ...payload, status: "fine" }, null])
      expect(says(example, { type, payload: wrong })).toBe(false);
    expect(says(example, { type: "error", payload })).toBe(false);
  });

  it("of approvals belong together: the decision names the question, and comes before the call", () => {
    const of = (type: string) => seen.filter((frame) => frame.type === type);
    const [required] = of("approval_required");
    const [applied] = of("approval_applied");
    expect(applied?.payload["request_id"]).toBe(required?.payload["request_id"]);
    const written = of("tool_call").find(({ payload }) => payload["name"] === "write_file");
    expect(written?.seq).toBeGreaterThan(applied?.seq ?? Infinity);
  });
});
