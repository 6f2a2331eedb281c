import { describe, expect, it } from "vitest";
import { frontendFrame } from "../../src/faces/frontend.ts";
import { scriptedModel } from "../../src/models/scripted.ts";
import { actor, everything, handTime, settle, world } from "../support/world.ts";

const ADA = actor("operator", "ada");

/** The scenario behind the golden files: one plain turn, word by word, thirty milliseconds apart. */
async function plainTurn() {
  const time = handTime();
  const sleep = () => settle().then(() => time.advance(30));
  const script = {
    word_ms: 30,
    rules: [{ do: [{ think: "A greeting." }, { say: "Hello, Ada. What shall we do?" }] }],
  };
  const w = world({ time, models: [scriptedModel({ script, sleep })] });
  const { session_id } = await w.services.sessions.create(ADA, { alias: "golden" });
  await w.services.turns.start(ADA, session_id, { input: "Hello!", idempotencyKey: "golden-1" });
  while ((await w.services.sessions.get(ADA, session_id)).turn_id !== null) await settle();
  return everything(w.log, session_id);
}

describe("the plain turn", () => {
  it("is byte for byte what it was, in the log and on the frontend face", async () => {
    const events = await plainTurn();
    const lines = (items: readonly unknown[]) => `${items.map((item) => JSON.stringify(item)).join("\n")}\n`;
    await expect(lines(events)).toMatchFileSnapshot("./plain-turn.log.jsonl");
    await expect(lines(events.map(frontendFrame).filter((frame) => frame !== null))).toMatchFileSnapshot("./plain-turn.frontend.jsonl");
  });

  it("is the same every time", async () => {
    expect(await plainTurn()).toEqual(await plainTurn());
  });
});
