import { existsSync, readFileSync, watch, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { background, callJson, makePlace, type Place } from "../support.ts";
import { noTerminal, openPane } from "./pane.ts";

const SIZE = { columns: 92, rows: 30 };
/** What a dead process leaves running ends when its directory is gone. */
const COMMAND = "echo begun >> runs; while [ -e runs ]; do sleep 0.1; done";

/** A session whose process was killed while a command of its turn ran. */
async function lostCall(place: Place): Promise<string> {
  const rounds = [[{ call: "shell", with: { command: COMMAND } }], [{ say: "Heard: {{result}}" }]];
  writeFileSync(place.env["FAIRLEAD_SCRIPT"] ?? "", JSON.stringify({ rules: [{ rounds }] }));
  const begun = appears(place.cwd, "runs");
  const { child, ended } = background(place, ["run", "--permission-mode", "full_access", "deploy"]);
  await begun;
  child.kill("SIGKILL");
  await ended;
  const { rows } = await callJson<{ rows: { session_id: string }[] }>(place, ["sessions"]);
  return rows[0]?.session_id ?? "";
}

/** Resolves when the file is there, and says something. */
function appears(directory: string, name: string): Promise<void> {
  return new Promise((resolve) => {
    const look = (): void => {
      const file = join(directory, name);
      // It exists before anything is written to it.
      if (!existsSync(file) || readFileSync(file, "utf8") === "") return;
      watcher.close();
      resolve();
    };
    const watcher = watch(directory, look);
    look();
  });
}

describe.skipIf(noTerminal !== undefined)(
  `a call whose process was lost${noTerminal === undefined ? "" : ` (${noTerminal})`}`,
  () => {
    test(
      "is asked about in the chat, and goes on with the answer from the list",
      { timeout: 60_000 },
      async () => {
        const place = makePlace();
        const pane = openPane(place, ["chat", "--session", await lostCall(place)], SIZE);
        const asked = await pane.until(/Answer shell\? {2}a answer {2}d details/);
        expect(asked).toMatch(/shell asks · risk high\n {2}The process was lost while this ran/);
        pane.press("a");
        await pane.until(/❯ It happened[^]*Run it again[^]*Give up/);
        pane.press("Enter");
        const all = await pane.until(/─ done/);
        expect(all).toMatch(/✓ shell answered happened by \S+/);
        expect(all).toMatch(/Heard: .* says that it happened\./);
        expect(readFileSync(join(place.cwd, "runs"), "utf8")).toBe("begun\n");
      },
    );

    test("is asked about by lines, once one of the answers was typed", { timeout: 60_000 }, async () => {
      const place = makePlace();
      const pane = openPane(place, ["chat", "--session", await lostCall(place)], SIZE, { TERM: "dumb" });
      await pane.until(/1 {2}It happened \(happened\)\n[^]*Answer shell: 1 to 3:/);
      pane.say("y");
      await pane.until(/1 to 3: y\nAnswer shell: 1 to 3:/);
      pane.say("4");
      await pane.until(/1 to 3: 4\nAnswer shell: 1 to 3:/);
      pane.say("3");
      await pane.until(/Heard: .*gave it up[^]*\n>/);
      expect(readFileSync(join(place.cwd, "runs"), "utf8")).toBe("begun\n");
      pane.say("/quit");
      expect((await pane.ended()).code).toBe(0);
    });
  },
);
