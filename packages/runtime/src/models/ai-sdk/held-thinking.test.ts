import { describe, expect, it } from "vitest";
import { heldTo, holdingFetch, mostHeader } from "./held-thinking.ts";

const asked = (max_tokens: number, budget_tokens?: number) =>
  JSON.stringify({
    max_tokens,
    ...(budget_tokens === undefined ? {} : { thinking: { type: "enabled", budget_tokens } }),
  });

describe("a request that is held to what was put aside for it", () => {
  it("keeps the parts of answer and thinking", () => {
    expect(JSON.parse(heldTo(asked(20_000, 10_000), 8_000))).toEqual({
      max_tokens: 8_000,
      thinking: { type: "enabled", budget_tokens: 4_000 },
    });
  });

  it("thinks not at all where there is too little for it, and is left alone where it fits", () => {
    expect(JSON.parse(heldTo(asked(20_000, 10_000), 2_000))).toEqual({
      max_tokens: 2_000,
      thinking: { type: "disabled" },
    });
    expect(JSON.parse(heldTo(asked(9_000), 2_000))).toEqual({ max_tokens: 2_000 });
    expect(heldTo(asked(2_000, 1_024), 2_000)).toBe(asked(2_000, 1_024));
  });

  it("says so to nobody outside", async () => {
    const sent: RequestInit[] = [];
    const send = holdingFetch(async (_, init = {}) => {
      sent.push(init);
      return new Response("");
    });
    const headers = { "x-api-key": "k" };
    await send("http://a.example", {
      headers: { ...headers, ...mostHeader(2_000) },
      body: asked(9_000, 5_000),
    });
    await send("http://a.example", { headers: { ...headers, ...mostHeader(undefined) }, body: asked(9_000) });
    expect(sent.map((one) => one.headers)).toEqual([headers, headers]);
    expect(JSON.parse(String(sent[0]?.body))).toMatchObject({ max_tokens: 2_000 });
    expect(sent[1]?.body).toBe(asked(9_000));
  });
});
