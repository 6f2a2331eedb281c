import { expect, it } from "vitest";
import { anthropicModel } from "../../src/models/anthropic.ts";
import { compatibleModel } from "../../src/models/compatible.ts";
import { googleModel } from "../../src/models/google.ts";
import { openaiModel } from "../../src/models/openai.ts";
import { serveModel } from "../../src/models/serve/server.ts";
import type { Model } from "../../src/ports/model.ts";
import { live } from "../acceptance/live.ts";

const PROVIDERS: readonly (readonly [string, (url: string) => Model])[] = [
  ["openai", (url) => openaiModel({ apiKey: "k", id: "gpt-5", baseUrl: `${url}/v1` })],
  ["anthropic", (url) => anthropicModel({ apiKey: "k", id: "claude-sonnet-4-5", baseUrl: `${url}/v1` })],
  ["google", (url) => googleModel({ apiKey: "k", id: "gemini-2.5-flash", baseUrl: `${url}/v1beta` })],
  ["compatible", (url) => compatibleModel({ apiKey: "k", id: "any", baseUrl: `${url}/v1` })],
];

// What a model says to itself goes back with the next request, with the tools that it called: each client takes that.
it.each(PROVIDERS)("a model looks back over the API of %s", async (_, open) => {
  // Over the wire a script sees what we say like what a person says.
  const rules = [
    { when: "calls in a row have failed", do: [{ say: "I assumed that it is there." }] },
    {
      when: "with that in mind",
      rounds: [[{ call: "write_file", with: { path: "a.txt", content: "a" } }], [{ say: "Written." }]],
    },
    {
      when: "about to finish",
      at_first: [
        [{ say: "One is missing." }, { call: "write_file", with: { path: "b.txt", content: "b" } }],
        [{ say: "Both are written." }],
      ],
      do: [{ say: "Both are there." }],
    },
    { do: [{ call: "read_file", with: { path: "missing.txt" } }] },
  ];
  const bodies: string[] = [];
  const server = await serveModel({
    script: { rules },
    observe: (_, body) => bodies.push(JSON.stringify(body)),
  });
  await using home = await live({ models: [open(server.url)] });
  const session = await home.session({
    permission_mode: "full_access",
    reflection: { after_failures: 1, before_finish: true },
  });
  await home.turn(session, "Write them.");
  const said = (await home.frames(session)).filter(({ type }) => type === "reflection");
  expect(said.map(({ payload }) => payload["text"])).toEqual([
    "I assumed that it is there.",
    "One is missing.",
    "Both are there.",
  ]);
  const end = (await home.frames(session)).find(({ type }) => type === "completed");
  expect(end?.payload["output"]).toBe("Both are written.");
  for (const text of ["I assumed that it is there.", "One is missing."])
    expect(bodies.at(-1)).toContain(text);
  await server.close();
});
