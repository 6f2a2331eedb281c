import { APICallError } from "@ai-sdk/provider";
import { describe, expect, it } from "vitest";
import { toFault } from "./faults.ts";

function answered(statusCode: number, message: string, responseBody?: string): APICallError {
  return new APICallError({
    message,
    url: "http://model.example/v1",
    requestBodyValues: {},
    statusCode,
    ...(responseBody === undefined ? {} : { responseBody }),
  });
}

describe("a provider's word that the conversation is too long", () => {
  it.each([
    answered(400, "Bad Request", '{"error":{"code":"context_length_exceeded"}}'),
    answered(400, "prompt is too long: 210000 tokens > 200000 maximum"),
    answered(400, "The input token count (1200000) exceeds the maximum number of tokens allowed (1048576)."),
    answered(400, "This model's maximum context length is 4096 tokens. However, you requested 5000 tokens."),
    answered(400, "the request exceeds the available context size, try increasing it"),
    { code: "context_length_exceeded", message: "Your input exceeds the context window of this model." },
  ])("is told from other refusals: %s", (error) => {
    expect(toFault(error, []).kind).toBe("too_long");
  });

  it.each([
    [answered(400, "Unknown parameter: context"), "refused"],
    [answered(401, "prompt is too long"), "auth"],
    [answered(429, "This request exceeds the maximum number of tokens per minute"), "rate_limit"],
    [answered(500, "maximum context length"), "unavailable"],
  ])("is not heard where the status says something else: %s", (error, kind) => {
    expect(toFault(error, []).kind).toBe(kind);
  });
});
