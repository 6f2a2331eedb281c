import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { actionOf } from "../../src/domain/policy/action/action.ts";
import { ownControls } from "../../src/domain/supervision/guards.ts";
import { evaluatePolicy } from "../../src/policy.ts";
import { eventOf, inputOf, rulesOf } from "./support.ts";

const WORKSPACE = "/srv/app";
const read = (payload: unknown) => actionOf(eventOf(payload), WORKSPACE);
const called = (args: unknown, tool_name = "shell") => read({ tool_name, arguments: args });

describe("words of a command that are no texts", () => {
  it.each([
    ["a number", 7, "7"],
    ["nothing", null, "null"],
    ["a list of one", ["-rf"], "-rf"],
    ["a list", ["/etc/shadow", 1, null, ["b"]], "/etc/shadow,1,,b"],
    ["an object", { a: "b" }, '{"a":"b"}'],
    ["an object that cannot be made a text", { toString: 1, valueOf: 1 }, '{"toString":1,"valueOf":1}'],
    ["a list of those", [{ toString: null }], '{"toString":null}'],
  ])("are read as what a program gets: %s", (_, word, expected) => {
    const { commands, readable } = called({ command: "ls", args: [word, "x"] });
    expect(readable).toBe(true);
    expect(commands.map(({ words }) => words)).toContainEqual(["ls", expected, "x"]);
  });

  it("make the action not readable where they nest too deeply, also in a text that is JSON", () => {
    const deep = `${"[".repeat(50_000)}${"]".repeat(50_000)}`;
    const text = `{"command":"ls","args":[${deep}]}`;
    const guard = ownControls({ paths: ["/srv/app/rules"], real: (path) => path });
    for (const args of [JSON.parse(text), { input: text }]) {
      expect(called(args).readable).toBe(false);
      const input = inputOf(eventOf({ tool_name: "shell", arguments: args }), { workspace: WORKSPACE });
      expect(() => guard(input)).not.toThrow();
    }
  });

  it("never keep rules or guards from answering", () => {
    const key = fc.constantFrom("command", "cmd", "args", "argv", "arguments", "toString", "valueOf", "x");
    const { json } = fc.letrec<{ json: unknown }>((tie) => ({
      json: fc.oneof(
        { maxDepth: 4 },
        fc.constantFrom("ls", "", "rm -rf /", 1, null, true, '{"cmd":"a","argv":[{"toString":0}]}'),
        fc.dictionary(key, tie("json"), { maxKeys: 4, noNullPrototype: false }),
        fc.array(tie("json"), { maxLength: 3 }),
      ),
    }));
    const guard = ownControls({ paths: ["/srv/app/rules"], real: (path) => path });
    fc.assert(
      fc.property(json, (args) => {
        for (const tool_name of ["shell", "look"]) {
          const event = eventOf({ tool_name, arguments: args, command: "ls", args });
          expect(actionOf(event, WORKSPACE).tool).toBe(tool_name);
          expect(() => guard(inputOf(event, { workspace: WORKSPACE }))).not.toThrow();
        }
      }),
      { numRuns: 500 },
    );
  });
});

describe("the name that a call has", () => {
  const NAMES = [
    "call_1",
    ".env",
    "/etc/shadow",
    "file:///etc/shadow",
    "http://169.254.169.254/",
    '{"command":"rm -rf /"}',
    "*** Begin Patch\n*** Update File: .env",
  ];
  const bare = { tool_name: "look", arguments: { path: "src", n: 1 } };

  it.each(NAMES)("is no word of the action: %s", (tool_call_id) => {
    expect(read({ ...bare, tool_call_id })).toEqual(read(bare));
    expect(read({ tool_call_id, ...bare, tool_name: "shell" })).toEqual(
      read({ ...bare, tool_name: "shell" }),
    );
  });

  it.each([
    ["an argument", { ...bare, arguments: { tool_call_id: "/etc/shadow" } }],
    ["an argument of an argument", { ...bare, arguments: { call: { tool_call_id: "/etc/shadow" } } }],
    ["all that there is", { tool_name: "look", tool_call_id: "/etc/shadow" }],
    ["beside arguments in a text", { ...bare, arguments: '{"n":1}', tool_call_id: "/etc/shadow" }],
    ["beside a list", { ...bare, arguments: [1], tool_call_id: "/etc/shadow" }],
    ["no name", { ...bare, tool_call_id: { path: "/etc/shadow" } }],
    ["in a call within", { payload: { ...bare, tool_call_id: "/etc/shadow" } }],
    ["another name", { ...bare, call_id: "/etc/shadow" }],
  ])("is one where it is %s", (_, payload) => {
    expect(read(payload).paths).toContain("/etc/shadow");
  });
});

describe("an event that is asked about again", () => {
  it("is read as it is then", () => {
    const args = { command: "ls" };
    const input = inputOf(eventOf({ tool_name: "shell", arguments: args }), { workspace: WORKSPACE });
    const rules = rulesOf({ when: 'action.commands.exists(c, c.name == "rm")', decide: "block" });
    const guard = ownControls({ paths: ["/srv/app/rules"], real: (path) => path });
    const asked = () => [evaluatePolicy(rules, input), guard(input)];
    expect(asked()).toMatchObject([{ decision: { decision: "allow" } }, undefined]);
    expect(guard(input)).toBeUndefined();
    args.command = "cat rules/x";
    expect(guard(input)).toMatchObject({ id: "builtin:own-controls" });
    args.command = "rm -r rules";
    expect(asked()).toMatchObject([{ decision: { decision: "block" } }, { id: "builtin:own-controls" }]);
  });
});
