import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { actionOf } from "../../src/domain/policy/action/action.ts";
import { ownControls } from "../../src/domain/supervision/guards.ts";
import { eventOf, inputOf } from "./support.ts";

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
