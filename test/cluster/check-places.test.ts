import type { AnyEvent } from "@fairlead/contract";
import { describe, expect, it } from "vitest";
import { misplaced, type Placed } from "./check-places.ts";

const SESSION = "ses_a";
const PUT = { tool_call_id: "c1", tool_name: "put" };
const SEND = { tool_call_id: "c2", tool_name: "send" };
const FILES = { "begun.txt": "begun", "put-c1.txt": "c1", "sent.txt": "c2\n" };
const CHANGE = {
  kind: "workspace_change",
  branch: "fairlead/ses_a",
  commit: "abc",
  files: [{ path: "put-c1.txt" }, { path: "sent.txt" }],
};
const DEED = { tool: "send", session_id: SESSION, tool_call_id: "c2" };
const LOST = { type: "runtime.effect.verdict", data: SEND };

interface Line {
  readonly type: string;
  readonly data: object;
}

const LINES: readonly Line[] = [
  { type: "agent.tool.start", data: PUT },
  { type: "agent.tool.outcome", data: { ...PUT, status: "ok" } },
  { type: "agent.tool.start", data: SEND },
  { type: "agent.tool.outcome", data: { ...SEND, status: "ok" } },
  { type: "runtime.artifact.created", data: { artifact: CHANGE } },
];

function seen(files: Readonly<Record<string, string>>, more: Partial<Placed> = {}, lines = LINES): Placed {
  return {
    events: lines.map((line, i) => ({ stream: SESSION, seq: i + 1, ...line })) as unknown as AnyEvent[],
    deeds: [DEED],
    places: [{ stream: SESSION, path: "/places/a", files }],
    branches: new Map([["fairlead/ses_a", "abc"]]),
    ...more,
  };
}

function offering(change: object): Placed {
  return seen(FILES, {}, [
    ...LINES.slice(0, -1),
    { type: "runtime.artifact.created", data: { artifact: { ...CHANGE, ...change } } },
  ]);
}

describe("the checker of files", () => {
  it("finds nothing where all is in its place", () => {
    expect(misplaced(seen(FILES))).toEqual([]);
  });

  it("takes what a person let run twice, and what died before it wrote", () => {
    const lines = [LOST, ...LINES];
    expect(misplaced(seen({ ...FILES, "sent.txt": "c2\nc2\n" }, { deeds: [DEED, DEED] }, lines))).toEqual([]);
    expect(misplaced(seen({ ...FILES, "sent.txt": "" }, {}, lines))).toEqual([]);
  });

  it.each<[string, Placed, RegExp]>([
    ["no place", seen(FILES, { places: [{ stream: SESSION, path: null, files: FILES }] }), /no place/],
    [
      "a place of two",
      seen(FILES, {
        places: [SESSION, "ses_b"].map((stream) => ({ stream, path: "/places/a", files: FILES })),
      }),
      /ses_a: shares its place/,
    ],
    ["a write that was lost", seen({ ...FILES, "put-c1.txt": "" }), /c1 put is not there/],
    ["all files lost", seen({ "begun.txt": "begun" }), /c2 left 0 lines/],
    ["an empty place", seen({}), /has not the files of the project/],
    ["a write that came twice", seen({ ...FILES, "sent.txt": "c2\nc2\n" }), /c2 left 2 lines of the 1 times/],
    [
      "a write more than it ran",
      seen({ ...FILES, "sent.txt": "c2\nc2\n" }, {}, [LOST, ...LINES]),
      /c2 left 2 lines/,
    ],
    ["a file of somebody else", seen({ ...FILES, "put-c9.txt": "c9" }), /put-c9.txt is not its own/],
    ["a line of somebody else", seen({ ...FILES, "sent.txt": "c2\nc9\n" }), /c9 was sent from here/],
    ["no offer", seen(FILES, {}, LINES.slice(0, -1)), /offers no change/],
    [
      "an offer without the work",
      offering({ files: [{ path: "sent.txt" }] }),
      /put-c1.txt is not in the change/,
    ],
    [
      "an offer with the work of others",
      offering({ files: [...CHANGE.files, { path: "put-c9.txt" }] }),
      /put-c9.txt in the change is not its own/,
    ],
    ["a branch that is not there", seen(FILES, { branches: new Map() }), /not what was offered/],
    [
      "a branch that is another",
      seen(FILES, { branches: new Map([["fairlead/ses_a", "def"]]) }),
      /not what was offered/,
    ],
  ])("finds %s", (_, bad, what) => {
    expect(misplaced(bad).join("\n")).toMatch(what);
  });
});
