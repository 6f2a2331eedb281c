import type { EventData, EventType, SessionId } from "@fairlead/contract";
import { describe, expect, it, onTestFinished } from "vitest";
import { is } from "../../src/domain/event.ts";
import type { Rule } from "../../src/models/script.ts";
import { scriptedModel } from "../../src/models/scripted.ts";
import { openPostgresStore } from "../../src/stores/postgres/open.ts";
import { delegate } from "../../src/tools/delegate.ts";
import { ADA, look, writer } from "../golden/scene.ts";
import { freshDatabase } from "../support/postgres.ts";
import { type World, everything, handTime, world } from "../support/world.ts";
import { delegated } from "./delegation-support.ts";

/** Two sets of services over one database, each with its own connections. */
async function pair(script: readonly Rule[]) {
  const url = await freshDatabase();
  const open = async (mark: string): Promise<World> => {
    const made = world({
      store: await openPostgresStore({ url }),
      time: handTime(Date.now()),
      mark,
      models: [scriptedModel({ script: { rules: [...script] } })],
      tools: [delegate(), look, writer],
    });
    onTestFinished(async () => {
      await made.services.turns.stop("The test is over.");
      await made.log.close();
      expect(made.reported).toEqual([]);
    });
    return made;
  };
  const [a, b] = [await open("a"), await open("b")];
  const { session_id: root } = await a.services.sessions.create(ADA, {});
  const of = async <T extends EventType>(type: T, session: SessionId = root) =>
    (await everything(b.log, session))
      .filter((event) => is(event, type))
      .map(({ data }) => data as EventData<T>);
  async function until(isSo: () => Promise<boolean>): Promise<void> {
    for (let looks = 0; looks < 1_000; looks++) {
      if (await isSo()) return;
      await new Promise<void>((resolve) => void setTimeout(resolve, 5));
    }
    throw new Error("It did not come to pass.");
  }
  await a.services.turns.start(ADA, root, { input: "begin" });
  await until(async () => (await of("runtime.turn.ended")).length === 1);
  const session = (await of("runtime.subagent.event"))[0]?.session_id as SessionId;
  return { a, b, root, session, of, until };
}

describe("delegated work over two processes", () => {
  it("ends when the one that does not drive it cancels the turn that waits for it", async () => {
    const { b, root, session, of, until } = await pair([
      delegated({ task: "hang" }),
      { when: "hang", do: [{ hang: true }] },
    ]);
    await until(async () => (await of("runtime.request.started", session)).length === 1);
    await b.services.turns.cancel(ADA, root, "enough");
    const ends = async (id: SessionId) => (await of("runtime.turn.ended", id)).at(-1)?.status;
    expect([await ends(root), await ends(session)]).toEqual(["cancelled", "cancelled"]);
    expect((await of("runtime.subagent.event")).map(({ status }) => status)).toEqual([
      "started",
      "cancelled",
    ]);
  });

  it("is gone on with by the other, and so is the turn that waits for it", async () => {
    const { a, b, root, session, of, until } = await pair([
      delegated({ task: "ask" }),
      { when: "ask", rounds: [[{ call: "change", with: { what: "flag" } }], [{ say: "Changed." }]] },
    ]);
    await until(async () => (await of("runtime.turn.ended", session)).length === 1);
    await a.services.turns.stop("It is stopped.");
    const { rows } = await b.services.questions.list(ADA, { session_id: root, state: "pending" });
    await b.services.questions.decide(ADA, rows[0]?.request_id ?? "", { decision: "approved" });
    await until(async () => (await of("runtime.request.completed")).length === 1);
    expect(await of("runtime.request.completed")).toMatchObject([{ output: "All in: Changed." }]);
    expect((await of("runtime.subagent.event")).map(({ status }) => status)).toEqual([
      "started",
      "awaiting_approval",
      "running",
      "completed",
    ]);
  });
});
