import type { SessionId } from "@fairlead/contract";
import { describe, expect, it } from "vitest";
import { is } from "../../src/domain/event.ts";
import { fold } from "../../src/domain/loop/fold.ts";
import { type LoopState, newLoopState } from "../../src/domain/loop/state.ts";
import { count, newTally } from "../../src/domain/supervision/tally.ts";
import { scriptedModel } from "../../src/models/scripted.ts";
import type { EventLog } from "../../src/ports/event-log.ts";
import { loadCarried, madeCarried, readWhole } from "../../src/services/loop/load.ts";
import { ADA, look, type Scene, scene, tool, writer } from "../golden/scene.ts";
import { everything, world } from "../support/world.ts";

const SECRET = `ghp_${"a1B2".repeat(9)}`;
const LARGE = "wall ".repeat(9_000);

/** Turns of every kind: with secrets, with what is too large for an event, approved, denied, edited, wrong, cancelled. */
const script = {
  rules: [
    {
      when: "read",
      rounds: [
        [
          { call: "look", with: { what: SECRET } },
          { call: "large", with: { what: "all" } },
          { call: "look", with: { times: 3 } },
        ],
        [{ say: `It says ${SECRET}.` }],
      ],
    },
    { when: "change", rounds: [[{ call: "change", with: { what: SECRET } }], [{ say: "{{result}}" }]] },
    { when: "fail", do: [{ say: "I beg" }, { fail: "Overloaded." }] },
    { when: "hang", do: [{ say: "I beg" }, { hang: true as const }] },
    { do: [{ say: "Yes." }] },
  ],
};

const said = async (play: Scene, input: string) => {
  await play.start(input);
  await play.rest();
};

async function everyKind(play: Scene): Promise<void> {
  const { turns } = play.w.services;
  await said(play, `read with ${SECRET}`);
  await said(play, "change it");
  await play.decide({ decision: "approved" });
  await said(play, "change it again");
  await play.decide({ decision: "denied", note: `Not with ${SECRET}.` });
  await said(play, "change it once more");
  await play.decide({ decision: "edited", edited: { what: `${SECRET}, edited` } });
  await said(play, "fail");
  const before = (await play.events()).length;
  await play.start("hang");
  await play.until("agent.output.delta");
  await turns.steer(ADA, play.session, { input: `and ${SECRET}` });
  await turns.queue(ADA, play.session, { input: `then ${SECRET}` });
  await turns.cancel(ADA, play.session);
  await play.rest();
  expect((await play.events()).length).toBeGreaterThan(before);
}

/** From the log alone, without any snapshot, up to an event. */
async function refolded(log: EventLog, session: SessionId, upto: number) {
  const state = newLoopState();
  const tally = newTally();
  for (const found of await everything(log, session)) {
    if (found.seq > upto) break;
    const event = await readWhole(log, session, found);
    fold(state, event);
    count(tally, event, Date.parse(event.at));
  }
  return { state, tally };
}

describe("the state that is carried from turn to turn", () => {
  it("is what the log says, with secrets as they were, and a snapshot is as good as all that went before", async () => {
    const play = await scene({
      models: [scriptedModel({ script })],
      tools: [look, tool("large", async () => ({ result: LARGE })), writer],
    });
    const { log } = play.w;
    const snapshots = async () => (await play.events()).filter((one) => is(one, "runtime.session.snapshot"));
    for (let i = 0; (await snapshots()).length < 2; i++) {
      expect(i).toBeLessThan(20);
      await everyKind(play);
    }
    // No reader sees a secret.
    expect(JSON.stringify(await play.events())).not.toContain(SECRET);
    for (const found of await snapshots()) {
      const whole = await readWhole(log, play.session, found);
      if (!is(whole, "runtime.session.snapshot")) throw new Error("It is no snapshot.");
      const carried = whole.data.state as { state: LoopState; tally: unknown };
      const { state, tally } = await refolded(log, play.session, whole.data.upto);
      expect(carried.state).toEqual(state);
      expect(carried.tally).toEqual({ ...tally, claimed: 0 });
      expect(JSON.stringify(carried.state.messages)).toContain(SECRET);
    }
    const head = (await log.stream(play.session))?.head_seq ?? 0;
    const { state } = await loadCarried(log, play.session);
    expect(state).toEqual({ ...(await refolded(log, play.session, head)).state, seq: head });
    // Nor is anything missing where only a few events are left, and the snapshot stands for those that are gone.
    const last = (await snapshots()).at(-1)?.seq ?? 0;
    await log.trim(play.session, Math.max(last - 1, 1));
    expect((await loadCarried(log, play.session)).state).toEqual(state);
    expect(play.w.reported).toEqual([]);
  });

  it("is known of a session that has just been made, unless its events do not say all", async () => {
    const w = world({ models: [scriptedModel({ script })] });
    const made = async (title: string) => {
      const { session_id } = await w.services.sessions.create(ADA, { title, permission_mode: "plan" });
      const session = session_id as SessionId;
      return { session, carried: madeCarried(await everything(w.log, session)) };
    };
    const { session, carried } = await made("The wall");
    expect(carried).toEqual(await loadCarried(w.log, session));
    expect((await made(`With ${SECRET}`)).carried).toBeUndefined();
  });
});
