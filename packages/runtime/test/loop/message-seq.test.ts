import { expect, it } from "vitest";
import { is } from "../../src/domain/event.ts";
import { loadCarried, snapshotEvent } from "../../src/services/loop/load.ts";
import { seqOfMessage } from "../../src/services/loop/message-seq.ts";
import { ADMIN, everything, settle, world } from "../support/world.ts";

it("the event of a message is found, also before the last snapshot and before a compaction", async () => {
  const w = world({ limits: { historyMessages: 24 } });
  const { session_id } = await w.services.sessions.create(ADMIN, {});
  for (let i = 0; i < 20; i++) {
    await w.services.turns.start(ADMIN, session_id, { input: `question <${i}>` });
    while ((await w.services.sessions.get(ADMIN, session_id)).turn_id !== null) {
      await settle();
      await w.time.advance(100);
    }
    if (i % 8 !== 7) continue;
    const snapshot = snapshotEvent(await loadCarried(w.log, session_id));
    await w.log.append({ writes: [{ stream: session_id, events: [snapshot] }] });
  }
  const events = await everything(w.log, session_id);
  expect(events.filter((event) => is(event, "runtime.session.snapshot")).length).toBeGreaterThan(1);
  const { state } = await loadCarried(w.log, session_id);
  const [digest, ...messages] = state.messages;
  expect(digest?.text).toContain("question <1>");
  const compacted = events.findLast((event) => is(event, "agent.context.compacted"));
  expect(await seqOfMessage(w.log, session_id, state, 0)).toBe(compacted?.seq);
  for (const [i, { role, text }] of messages.entries()) {
    const seq = await seqOfMessage(w.log, session_id, state, i + 1);
    const event = events.find((one) => one.seq === seq);
    const said = role === "user" ? { input: text } : { text };
    expect(event?.data).toMatchObject(said);
  }
  expect(await seqOfMessage(w.log, session_id, state, state.messages.length)).toBeUndefined();
});
