import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { keepScreen, noTerminal, openPane } from "./chat/pane.ts";
import { callJson, cli, makePlace, type Place, serve } from "./support.ts";

/** Delegates a note that must be asked about, and a list that need not. */
function delegating(): Place {
  const place = makePlace();
  const rules = [
    {
      when: "begin",
      rounds: [
        [
          { call: "delegate", with: { task: "Write the note.", title: "note" } },
          { call: "delegate", with: { task: "List the files.", permission_mode: "plan" } },
        ],
        [{ say: "Both are back." }],
      ],
    },
    {
      when: "write the note",
      rounds: [
        [{ call: "write_file", with: { path: "note.md", content: "x\n" } }],
        [{ say: "The note is written." }],
      ],
    },
    { when: "list the files", rounds: [[{ call: "list_files" }], [{ say: "There are some." }]] },
  ];
  writeFileSync(place.env["FAIRLEAD_SCRIPT"] ?? "", JSON.stringify({ rules }));
  return place;
}

interface Rows<T> {
  readonly rows: readonly T[];
}

describe("delegated work at the terminal", () => {
  test("without a server it waits, and nobody says that it goes on by itself", async () => {
    const { code, stderr } = await cli(delegating(), ["run", "begin"]);
    expect(code).toBe(3);
    expect(stderr).toContain("No server is running");
    expect(stderr).not.toContain("by itself");
  });

  test("ends a run with 3 when a sub-agent asks, and it goes on with the decision", async () => {
    const place = delegating();
    await serve(place);
    const { code, stderr } = await cli(place, ["run", "begin"]);
    expect(code).toBe(3);
    expect(stderr).toContain("· subagent_1 started: Write the note.");
    expect(stderr).toMatch(/· subagent_1 waits for a decision: apr_\w+ write_file/);
    const { rows } = await callJson<Rows<{ request_id: string; root_session_id: string }>>(place, [
      "approvals",
    ]);
    const [asked] = rows;
    expect(existsSync(join(place.cwd, "note.md"))).toBe(false);
    await cli(place, ["approve", asked?.request_id ?? ""]);
    await expect
      .poll(async () => (await callJson<Rows<{ status: string }>>(place, ["sessions"])).rows[0]?.status)
      .toBe("idle");
    expect(readFileSync(join(place.cwd, "note.md"), "utf8")).toBe("x\n");
    const show = await cli(place, ["sessions", "show", asked?.root_session_id ?? ""]);
    expect(show.stdout).toMatch(/subagent_1 +completed +Write the note\./);
    const kinds = async (...more: readonly string[]) =>
      (await callJson<Rows<{ kind: string }>>(place, ["sessions", ...more])).rows
        .map(({ kind }) => kind)
        .toSorted();
    expect(await kinds()).toEqual(["chat"]);
    expect(await kinds("--subagents")).toEqual(["chat", "subagent", "subagent"]);
    expect(await kinds("--kind", "subagent")).toEqual(["subagent", "subagent"]);
  });

  test("waits for sub-agents that ask nothing, and ends with 0", async () => {
    const { code, stdout, stderr } = await cli(delegating(), ["run", "--permission-mode", "plan", "begin"]);
    expect(stdout).toContain("Both are back.");
    expect(stderr).toContain("· subagent_2 is done: There are some.");
    expect(code).toBe(0);
  });

  test.skipIf(noTerminal !== undefined)(
    "is asked about in the chat, as what the agent itself asks",
    { timeout: 60_000 },
    async () => {
      const place = delegating();
      const pane = openPane(place, ["chat"], { columns: 100, rows: 36 });
      await pane.until(/ready/);
      pane.say("begin");
      await pane.until(/y yes/);
      expect(pane.screen()).toMatch(/subagent_1 started: Write the note\.[^]*note\.md/);
      keepScreen("delegation", pane.screen());
      pane.press("y");
      const all = await pane.until(/─ done in/);
      expect(all).toContain("subagent_1 goes on (approved)");
      expect(all).toContain("subagent_1 is done: The note is written.");
      expect(all).toMatch(/Both are back\./);
      expect(readFileSync(join(place.cwd, "note.md"), "utf8")).toBe("x\n");
    },
  );
});
