import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { writeFile } from "../../src/tools/write-file.ts";
import { type Tree, tree } from "../tools/support.ts";
import { golden, model, type Scene, scene } from "./scene.ts";

/** What depends on where the workspace is. */
const PLACE = ["input_hash"];

/** A turn that waits for a yes to a real write, in a workspace of its own. */
async function parked(limits = {}): Promise<{ readonly play: Scene; readonly place: Tree }> {
  const place = tree();
  onTestFinished(() => place[Symbol.dispose]());
  place.put("notes.md", "old\n");
  const play = await scene({
    models: [
      model({
        rounds: [
          [
            { say: "I write it down." },
            { call: "write_file", with: { path: "notes.md", content: "new\n" } },
          ],
          [
            { when_failed: true, do: [{ say: "Not written. {{result}}" }] },
            { do: [{ say: "Written." }] },
          ],
        ],
      }),
    ],
    tools: [writeFile(place.files)],
    workspace: place.workspace,
    limits,
  });
  await play.start("Note that.");
  await play.rest();
  expect(readFileSync(join(place.workspace, "notes.md"), "utf8")).toBe("old\n");
  return { play, place };
}

const notes = ({ workspace }: Tree) => readFileSync(join(workspace, "notes.md"), "utf8");

describe("the transcript of a write that needs a yes", () => {
  it("and gets it", async () => {
    const { play, place } = await parked();
    await play.decide({ decision: "approved" });
    expect(notes(place)).toBe("new\n");
    await golden("approval-approved", play, PLACE);
  });

  it("and is denied, with words that the model is told", async () => {
    const { play, place } = await parked();
    await play.decide({ decision: "denied", note: "Keep the old ones." });
    expect(notes(place)).toBe("old\n");
    await golden("approval-denied", play, PLACE);
  });

  it("and is edited by the person who is asked", async () => {
    const { play, place } = await parked();
    await play.decide({ decision: "edited", edited: { path: "new.md", content: "new\n" } });
    expect(notes(place)).toBe("old\n");
    expect(readFileSync(join(place.workspace, "new.md"), "utf8")).toBe("new\n");
    await golden("approval-edited", play, PLACE);
  });

  it("and is edited into one that the guard stops", async () => {
    const { play, place } = await parked();
    await play.decide({ decision: "edited", edited: { path: "../escaped.md", content: "new\n" } });
    expect(existsSync(join(place.outside, "escaped.md"))).toBe(false);
    await golden("approval-edited-wrongly", play, PLACE);
  });

  it("and that nobody decides about", async () => {
    const { play, place } = await parked({ approvalMs: 60_000 });
    await play.w.time.advance(60_000);
    expect(await play.w.services.questions.expireDue()).toBe(1);
    await play.until("runtime.turn.resumed");
    await play.rest();
    expect(notes(place)).toBe("old\n");
    await golden("approval-expired", play, PLACE);
  });
});
