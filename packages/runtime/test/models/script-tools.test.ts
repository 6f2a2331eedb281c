import { describe, expect, it } from "vitest";
import { parseScript, type Script } from "../../src/models/script.ts";
import { scriptedModel } from "../../src/models/scripted.ts";
import type { Message, Model, ModelPart } from "../../src/ports/model.ts";
import { TOOLS, ask, callsIn, conversation, textOf } from "./support.ts";

const user = (text: string): Message => ({ role: "user", text });
const scripted = (script: Script): Model => scriptedModel({ script });

describe("a script with tools", () => {
  const script: Script = {
    rules: [
      {
        rounds: [
          [
            { say: "Two at once." },
            { call: "list_files" },
            { call: "read_file", with: { path: "{{prompt}}" } },
          ],
          [
            { when_failed: true, do: [{ say: "It failed: {{result}}" }] },
            { tool: "list_files", when_result: "A.MD", do: [{ say: "I see {{result:list_files}}" }] },
            { do: [{ say: "Nothing." }] },
          ],
        ],
      },
    ],
  };

  it("asks for calls, with arguments filled in, and ends with tool_calls", async () => {
    const parts = await ask(scripted(script), { messages: [user("b.md")], tools: TOOLS });
    expect(callsIn(parts).map(({ name, arguments: args }) => [name, args])).toEqual([
      ["list_files", "{}"],
      ["read_file", '{"path":"b.md"}'],
    ]);
    expect(new Set(callsIn(parts).map((call) => call.tool_call_id)).size).toBe(2);
    expect(parts.at(-1)).toEqual({ type: "finish", reason: "tool_calls" });
    expect(await ask(scripted(script), { messages: [user("b.md")], tools: TOOLS })).toEqual(parts);
  });

  it.each([
    ["failed", { failed: true, text: "no such file" }, "It failed: no such file"],
    ["good", { failed: false, text: "a.md b.md" }, "I see a.md b.md"],
    ["other", { failed: false, text: "" }, "Nothing."],
  ])("goes on by what came back: %s", async (_, result, said) => {
    const { rounds } = await conversation(scripted(script), "x", () => result);
    expect(textOf(rounds[1] ?? [])).toBe(said);
    expect(rounds).toHaveLength(2);
  });

  it("gives every round and every turn of a session ids of its own", async () => {
    const again: Script = { rules: [{ rounds: [[{ call: "list_files" }], [{ call: "list_files" }]] }] };
    const model = scripted(again);
    const first = await conversation(model, "x", () => ({ failed: false, text: "a.md" }));
    const second = await conversation(model, "x", () => ({ failed: false, text: "a.md" }), first.messages);
    const ids = [...first.rounds, ...second.rounds].flatMap(callsIn).map((call) => call.tool_call_id);
    expect(ids).toHaveLength(4);
    expect(new Set(ids).size).toBe(4);
    expect(textOf(first.rounds[2] ?? [])).toBe("Done.");
  });

  it("can ask with arguments that are no JSON, with an id of its own, and break off in one", async () => {
    const rough: Script = {
      rules: [
        { when: "raw", do: [{ call: "shell", raw: '{"command": "ls', id: "mine" }] },
        { when: "half", do: [{ say: "So" }, { call: "shell", with: { command: "ls" }, half: true }] },
      ],
    };
    expect(callsIn(await ask(scripted(rough), { messages: [user("raw")] }))).toEqual([
      { type: "tool_call", tool_call_id: "mine", name: "shell", arguments: '{"command": "ls' },
    ]);
    expect(await ask(scripted(rough), { messages: [user("half")] })).toEqual([{ type: "text", text: "So" }]);
  });

  it("answers by the rule whose tools are all offered", async () => {
    const choosy: Script = {
      rules: [
        { needs: ["read_file", "nothing_such"], do: [{ say: "never" }] },
        { needs: ["read_file"], do: [{ say: "tools" }] },
        { do: [{ say: "none" }] },
      ],
    };
    expect(textOf(await ask(scripted(choosy), { messages: [user("x")], tools: TOOLS }))).toBe("tools");
    expect(textOf(await ask(scripted(choosy), { messages: [user("x")] }))).toBe("none");
  });

  it("says its usage where the script gives one", async () => {
    const usage = { input_tokens: 7, output_tokens: 5, cached_input_tokens: 3, reasoning_tokens: 2 };
    const parts = await ask(scripted({ rules: [{ do: [{ usage }] }] }), { messages: [user("x")] });
    expect(parts[0]).toEqual({ type: "usage", ...usage });
  });
});

describe("scripted faults", () => {
  it.each([
    [{ fail: "boom" }, { kind: "unavailable", status: 500, message: "boom" }],
    [
      { fail: "busy", status: 429, retry_after_ms: 1500 },
      { kind: "rate_limit", status: 429, retryAfterMs: 1500 },
    ],
    [{ fail: "over", status: 529 }, { kind: "unavailable" }],
    [{ fail: "who", status: 401 }, { kind: "auth" }],
    [{ fail: "bad", status: 400 }, { kind: "refused" }],
  ])("%j", async (step, fault) => {
    const answer = ask(scripted({ rules: [{ do: [step] }] }), { messages: [user("x")] });
    await expect(answer).rejects.toMatchObject({ name: "ModelFault", ...fault });
  });

  it("pass where they come only at first, each rule counted alone", async () => {
    const model = scripted({
      rules: [
        {
          when: "a",
          at_first: [[{ fail: "busy", status: 503 }], [{ say: "ha" }, { cut: true }]],
          do: [{ say: "a" }],
        },
        { when: "b", at_first: [[{ fail: "busy" }]], do: [{ say: "b" }] },
      ],
    });
    const once = (text: string): Promise<ModelPart[]> => ask(model, { messages: [user(text)] });
    await expect(once("a")).rejects.toThrow("busy");
    expect(await once("a")).toEqual([{ type: "text", text: "ha" }]);
    expect(textOf(await once("a"))).toBe("a");
    await expect(once("b")).rejects.toThrow("busy");
    expect(textOf(await once("b"))).toBe("b");
  });
});

it.each([
  ["both do and rounds", { do: [{ say: "x" }], rounds: [[{ say: "x" }]] }],
  ["neither", { when: "x" }],
  ["an empty round", { rounds: [[]] }],
  ["a call with both kinds of arguments", { do: [{ call: "x", with: {}, raw: "" }] }],
  ["a status that is no fault", { do: [{ fail: "x", status: 200 }] }],
])("a rule with %s is no rule", (_, rule) => {
  expect(() => parseScript(JSON.stringify({ rules: [rule] }), "it.json")).toThrow(
    "it.json is not a script: rules.0",
  );
});
