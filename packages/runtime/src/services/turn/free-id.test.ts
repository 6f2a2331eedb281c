import { expect, it } from "vitest";
import type { Message, Model, ModelPart } from "../../ports/model.ts";
import { systemTimers } from "../../host/timers.ts";
import { callModel } from "./call.ts";

const answering = (...ids: readonly string[]): Model => ({
  provider: "test",
  id: "test",
  async *stream(): AsyncGenerator<ModelPart> {
    for (const tool_call_id of ids) yield { type: "tool_call", tool_call_id, name: "look", arguments: "{}" };
    yield { type: "finish", reason: "tool_calls" };
  },
});

async function idsOf(messages: readonly Message[], ...ids: readonly string[]): Promise<readonly string[]> {
  const result = await callModel({
    model: answering(...ids),
    request: { messages },
    signal: new AbortController().signal,
    timers: systemTimers,
    limits: { idleMs: 10_000, callMs: 10_000, outputChars: 1_000 },
    heard: () => {},
  });
  if (result.kind !== "answer") throw new Error(`The call was a ${result.kind}.`);
  return result.calls.map(({ tool_call_id }) => tool_call_id);
}

const asked = (...ids: readonly string[]): Message => ({
  role: "assistant",
  text: "",
  tool_calls: ids.map((tool_call_id) => ({ tool_call_id, name: "look", arguments: "{}" })),
});

it("gives no two calls of a conversation the same id, whatever the model says", async () => {
  expect(await idsOf([], "a", "b", "a", "a")).toEqual(["a", "b", "a-2", "a-3"]);
  const before: Message[] = [
    { role: "user", text: "Look." },
    asked("call_0", "call_1"),
    { role: "tool", tool_call_id: "call_0", name: "look", text: "", failed: false },
    { role: "tool", tool_call_id: "call_1", name: "look", text: "", failed: false },
    asked("call_0-2"),
    // Of a call whose request was left out of the conversation.
    { role: "tool", tool_call_id: "old", name: "look", text: "", failed: false },
  ];
  expect(await idsOf(before, "call_0", "call_1", "call_2", "old")).toEqual([
    "call_0-3",
    "call_1-2",
    "call_2",
    "old-2",
  ]);
});

it("makes up an id where the model gives none, of signs that every provider takes back", async () => {
  const ids = await idsOf([asked("call-1")], "", "", "x");
  expect(ids).toEqual(["call-2", "call-3", "x"]);
  for (const id of ids) expect(id).toMatch(/^[a-zA-Z0-9_-]+$/);
  expect(await idsOf([], "")).toEqual(["call-1"]);
});
