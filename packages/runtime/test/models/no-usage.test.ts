import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { describe, expect, it, onTestFinished } from "vitest";
import { compatibleModel } from "../../src/models/compatible.ts";
import { held } from "../health/support.ts";
import { ask, textOf } from "./support.ts";

/** A server of chat completions that says this of what an answer used. */
async function serving(usage: unknown): Promise<string> {
  const server = createServer((_, response) => {
    const chunk = (more: object) =>
      response.write(`data: ${JSON.stringify({ id: "c1", object: "chat.completion.chunk", ...more })}\n\n`);
    response.writeHead(200, { "content-type": "text/event-stream" });
    chunk({ choices: [{ index: 0, delta: { role: "assistant", content: "Well." }, finish_reason: null }] });
    chunk({ choices: [{ index: 0, delta: {}, finish_reason: "stop" }] });
    if (usage !== undefined) chunk({ choices: [], usage });
    response.end("data: [DONE]\n\n");
  });
  await new Promise<void>((resolve) => void server.listen(0, "127.0.0.1", resolve));
  onTestFinished(async () => {
    server.closeAllConnections();
    await new Promise((resolve) => void server.close(resolve));
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`;
}

describe("a provider that does not count", () => {
  it.each([
    ["says nothing", undefined],
    ["says nothing in many words", {}],
    ["says that nothing was used", { prompt_tokens: 0, completion_tokens: 0, total_tokens: 0 }],
  ])("and %s is not said to have used nothing", async (_, usage) => {
    const model = compatibleModel({ id: "any", baseUrl: await serving(usage) });
    const parts = await ask(model, { messages: [{ role: "user", text: "Hello." }] });
    expect(textOf(parts)).toBe("Well.");
    expect(parts.filter(({ type }) => type === "usage")).toEqual([]);
  });

  it("uses all that was put aside for the call, where something limits the session", async () => {
    const model = compatibleModel({ id: "any", baseUrl: await serving(undefined) });
    const at = await held({ health: { max_total_tokens: 50_000 }, models: [model] });
    await at.until("completed");
    const [reserved] = await at.data("runtime.budget.reserved");
    expect(await at.data("agent.usage")).toMatchObject([
      { estimated: true, total_tokens: reserved?.["tokens"] },
    ]);
  });
});
