import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { AnyEvent, SessionId } from "@fairlead/contract";
import { describe, expect, test } from "vitest";
import { is } from "../../src/domain/event.ts";
import { scriptedModel } from "../../src/models/scripted.ts";
import { delegate } from "../../src/tools/delegate.ts";
import { ADA } from "../kernel/support.ts";
import { everything, type World } from "../support/world.ts";
import { artifacts, DONE, patiently, put, saidOf, start, tools, worldOf } from "./support-background.ts";
import { lab, type Lab, untouched } from "./support.ts";

/** Writes, has a sub-agent write, and writes again. */
function delegatingWorld(l: Lab): World {
  const rules = [
    {
      when: "Write",
      rounds: [
        [put("above.txt", "1")],
        [{ call: "delegate", with: { task: "paint it" } }],
        [put("above.txt", "2")],
        [DONE],
      ],
    },
    { when: "paint", rounds: [[put("below.txt", "a")], [put("below.txt", "b")], [DONE]] },
  ];
  return worldOf(l, [], {
    tools: [...tools(l), delegate()],
    models: [scriptedModel({ script: { rules } })],
  });
}

function childOf(started: AnyEvent | undefined): SessionId {
  expect(started).toBeDefined();
  return (started?.data as { session_id: SessionId } | undefined)?.session_id ?? ("" as SessionId);
}

async function work(l: Lab) {
  const w = delegatingWorld(l);
  const play = await start(w);
  await patiently(play, "completed");
  const above = await everything(w.log, play.session);
  const begun = above.find((event) => is(event, "runtime.subagent.event"));
  const child = childOf(begun);
  return { w, play, child, above, below: await everything(w.log, child) };
}

async function filesAt(w: World, event: AnyEvent | undefined) {
  const row = await w.services.branches.branch(ADA, event?.stream ?? "", { from_event_id: event?.id ?? "" });
  const said = (await saidOf(w, row.session_id)) as Record<string, unknown>;
  const read = (path: string) => {
    try {
      return readFileSync(join(String(row.state?.workspace), path), "utf8");
    } catch {
      return null;
    }
  };
  return { row, said, files: [read("above.txt"), read("below.txt")] };
}

const outcomes = (events: readonly AnyEvent[]) => events.filter((event) => is(event, "agent.tool.outcome"));

describe.each([{ repository: true }, { repository: false }])(
  "a branch (repository: $repository)",
  (given) => {
    test("from an event of a sub-agent has the files as they were there", async () => {
      const l = lab(given);
      const { w, below } = await work(l);
      const [first, second] = outcomes(below);
      for (const [event, files] of [
        [below[0], ["1", null]],
        [first, ["1", "a"]],
        [second, ["1", "b"]],
        [below.at(-1), ["1", "b"]],
      ] as const) {
        const found = await filesAt(w, event);
        expect(found.files, event?.type).toEqual(files);
        expect(found.said).toMatchObject({ kind: "restored" });
        expect(found.row.state?.workspace_id).toBe(found.row.session_id.replace("ses_", "ws_"));
      }
      expect(w.reported).toEqual([]);
    });

    test("from after a sub-agent has what that wrote, and so has the change that is offered", async () => {
      const l = lab(given);
      const { w, above, play } = await work(l);
      const [, delegated, last] = outcomes(above);
      expect((await filesAt(w, delegated)).files).toEqual(["1", "b"]);
      expect((await filesAt(w, last)).files).toEqual(["2", "b"]);
      const [change] = await artifacts(w, play.session, "workspace_change");
      expect(((change?.["files"] ?? []) as { path: string }[]).map(({ path }) => path)).toEqual([
        "above.txt",
        "below.txt",
      ]);
    });
  },
);

test("a sub-agent that only reads has the files that it began with", async () => {
  const l = lab();
  const rules = [
    {
      when: "Write",
      rounds: [
        [put("above.txt", "1")],
        [{ call: "delegate", with: { task: "look" } }],
        [put("above.txt", "2")],
        [DONE],
      ],
    },
    { when: "look", rounds: [[{ call: "read_file", with: { path: "above.txt" } }], [DONE]] },
  ];
  const w = worldOf(l, [], {
    tools: [...tools(l), delegate()],
    models: [scriptedModel({ script: { rules } })],
  });
  const play = await start(w);
  await patiently(play, "completed");
  const begun = (await everything(w.log, play.session)).find((event) => is(event, "runtime.subagent.event"));
  const child = childOf(begun);
  expect(await artifacts(w, child, "workspace_snapshot")).toEqual([]);
  const below = await everything(w.log, child);
  expect((await filesAt(w, below.at(-1))).files).toEqual(["1", null]);
});

test("what is kept of a sub-agent goes with its session, and takes nothing of the workspace with it", async () => {
  const l = lab();
  const before = untouched(l);
  const { play, child } = await work(l);
  const id = child.replace("ses_", "ws_");
  const own = String((await play.row()).state?.workspace);
  expect(await l.workspaces.find(id)).toMatchObject({ session_id: child, state: "removed" });
  await l.workspaces.remove(id);
  expect(await l.workspaces.forget(id)).toBe(true);
  expect(await l.workspaces.find(id)).toBeUndefined();
  expect(readFileSync(join(own, "below.txt"), "utf8")).toBe("b");
  expect(l.git("for-each-ref", "refs/fairlead", "--format=%(refname)").trim()).toBe(
    `refs/fairlead/${play.session.replace("ses_", "ws_")}`,
  );
  const { branches: _branches, ...rest } = untouched(l);
  expect(before).toMatchObject(rest);
});
