import type { NewEvent } from "@fairlead/contract";
import { createRedactor } from "../../src/log/redact.ts";
import { expect, it, onTestFinished } from "vitest";
import { fold } from "../../src/domain/loop/fold.ts";
import { type CallState, newLoopState } from "../../src/domain/loop/state.ts";
import type { Drive } from "../../src/services/loop/context.ts";
import { changedSince, previewChanged } from "../../src/services/loop/preview.ts";
import { verdictStep } from "../../src/services/loop/verdict.ts";
import { writeFile } from "../../src/tools/write-file.ts";
import { model, scene, tool } from "../golden/scene.ts";
import { tree } from "../tools/support.ts";

/** A real write that waits for a yes, as the loop finds it again. */
async function waiting() {
  const place = tree();
  onTestFinished(() => place[Symbol.dispose]());
  place.put("notes.md", "old\n");
  const write = writeFile(place.files);
  const call = { call: "write_file", with: { path: "notes.md", content: "new\n" } };
  const play = await scene({
    models: [model({ rounds: [[call], [{ say: "Done." }]] })],
    tools: [write],
    workspace: place.workspace,
  });
  await play.start();
  await play.rest();
  const state = newLoopState();
  for (const event of await play.events()) fold(state, event);
  const [asked] = state.turn?.calls ?? [];
  if (asked === undefined) throw new Error("Nothing was asked.");
  const preview: Drive["tools"]["preview"] = async (one, context) =>
    (await write.preview?.(one.arguments, context)) ?? {};
  const { session } = play;
  const drive = { session, place: { path: () => place.workspace }, journal: { state }, tools: { preview } };
  return { play, place, write, asked, drive: drive as unknown as Drive };
}

it("knows a write that would change something else than was shown", async () => {
  const { place, write, asked, drive, play } = await waiting();
  expect(asked.shown?.preview_hash).toMatch(/^[0-9a-f]{64}$/);
  expect((await play.question()).shown).toMatchObject({ preview_hash: asked.shown?.preview_hash });
  expect(await previewChanged(drive, asked, write)).toBe(false);
  place.put("notes.md", "old\nand what somebody else wrote\n");
  expect(await previewChanged(drive, asked, write)).toBe(true);
  place.put("notes.md", "old\n");
  expect(await previewChanged(drive, asked, write)).toBe(false);
});

it("takes a question that does not say what would change for another one", async () => {
  const { write, asked, drive } = await waiting();
  const { requested } = asked;
  const shown: CallState["shown"] = { name: "write_file", arguments: asked.shown?.arguments ?? {} };
  expect(await previewChanged(drive, { requested, shown }, write)).toBe(true);
  expect(await previewChanged(drive, { requested }, write)).toBe(true);
  const plain = tool("plain", async () => ({ result: null }));
  expect(await previewChanged(drive, { requested, shown }, plain)).toBe(false);
});

it("does not run a lost write again over what somebody did since", async () => {
  const { place, asked, drive } = await waiting();
  const { name, arguments: args } = asked.shown ?? { name: "", arguments: {} };
  const effect = "idempotent" as const;
  const lost: CallState = {
    ...asked,
    started: { name, arguments: args, access: "write", effect, parallel: false },
  };
  expect(await changedSince(drive, lost)).toBe(false);
  // It has taken effect.
  place.put("notes.md", "new\n");
  expect(await changedSince(drive, lost)).toBe(false);
  place.put("notes.md", "new\nand what somebody added\n");
  const emitted: NewEvent[] = [];
  const journal = { ...drive.journal, emit: (events: readonly NewEvent[]) => void emitted.push(...events) };
  const ids = { next: () => "qst_1" };
  const redactor = createRedactor();
  await verdictStep({ ...drive, journal, ids, redactor, limits: {} } as unknown as Drive, [lost]);
  expect(emitted).toMatchObject([
    { type: "runtime.effect.verdict", data: { verdict: "ask" } },
    { type: "runtime.question.asked", data: { reason: expect.stringContaining("changed it since") } },
  ]);
});
