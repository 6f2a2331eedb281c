import type { NewEvent } from "@fairlead/contract";
import { beforeAll, describe, expect, test } from "vitest";
import type { Services } from "../../src/services/types.ts";
import { postgres, sqlite } from "../stores.ts";
import { actor, codeOf, handTime, type World, world } from "../support/world.ts";

const ADA = actor("operator", "ada");
const usage = (cost_usd: number) => ({ input_tokens: 5, output_tokens: 5, total_tokens: 10, cost_usd });
type Query = Parameters<Services["sessions"]["list"]>[1];

for (const kind of [sqlite, postgres])
  describe(`sessions are found on ${kind.name}`, () => {
    let w: World;
    const ids: string[] = [];
    let asked: string;
    beforeAll(async () => {
      const site = await kind.newSite();
      const time = handTime();
      w = world({ store: await site.open(time.clock), time });
      for (const title of ["Mend the Login", "Write docs, Über İzmir", "Deploy"]) {
        const { session_id } = await w.services.sessions.create(ADA, {
          title,
          ...(title === "Deploy" ? { alias: "release" } : {}),
        });
        ids.push(session_id);
        await time.advance(1_000);
      }
      await put(0, { type: "agent.usage", data: usage(0.5) });
      await put(1, { type: "agent.usage", data: usage(2.25) });
      asked = (
        await w.services.questions.ask(ids[2] as never, {
          kind: "approval",
          tool_name: "shell",
          reason: "May I?",
        })
      ).request_id;
      return async () => {
        await w.log.close();
        await site.destroy();
      };
    });

    async function put(i: number, event: NewEvent): Promise<void> {
      const done = await w.log.append({ writes: [{ stream: ids[i] as never, events: [event] }] });
      if (!done.ok) throw new Error(done.refusal.message);
    }

    /** Every page of two, as the numbers of the sessions. */
    async function list(query: Query): Promise<number[]> {
      const found: number[] = [];
      for (let cursor: string | undefined; ;) {
        const page = await w.services.sessions.list(ADA, {
          ...query,
          limit: 2,
          ...(cursor === undefined ? {} : { cursor }),
        });
        found.push(...page.rows.map(({ session_id }) => ids.indexOf(session_id)));
        if (page.cursor === null) return found;
        cursor = page.cursor;
      }
    }

    test("by words of their names", async () => {
      expect(await list({ search: "LOGIN mend" })).toEqual([0]);
      expect(await list({ search: "release" })).toEqual([2]);
      expect(await list({ search: "  " })).toHaveLength(3);
      expect(await list({ search: "login docs" })).toEqual([]);
      expect(await list({ search: "%" })).toEqual([]);
      for (const search of ["ÜBER izmir", "über\u0009İZMİR"]) expect(await list({ search })).toEqual([1]);
    });

    test("by their id or its beginning, and by no part of it that somebody means otherwise", async () => {
      const [, , deploy] = ids as [string, string, string];
      expect(await list({ search: deploy })).toEqual([2]);
      expect(await list({ search: `deploy ${deploy.toUpperCase()}` })).toEqual([2]);
      expect((await list({ search: deploy.slice(0, 6) })).length).toBeGreaterThan(0);
      expect(await list({ search: deploy.slice(4) })).toEqual([]);
    });

    test("in each order, page by page", async () => {
      expect(await list({ sort: "created" })).toEqual([2, 1, 0]);
      expect(await list({ sort: "cost" })).toEqual([1, 0, 2]);
      expect((await list({ sort: "health" })).toSorted()).toEqual([0, 1, 2]);
    });

    test("by what they are", async () => {
      expect(await list({ kind: "background" })).toEqual([]);
      expect(await list({ kind: "chat", status: ["idle"] })).toHaveLength(3);
      expect(await list({ engine: "native" })).toEqual([]);
    });

    test("by whom they need", async () => {
      expect(await list({ needs: "me" })).toEqual([2]);
      // What waits, no look ends.
      await w.services.inbox.seen(ADA, ids[2] as string, { upto_seq: 2 });
      expect(await list({ needs: "me" })).toEqual([2]);
      await w.services.questions.decide(ADA, asked, { decision: "denied" });
      expect(await list({ needs: "me" })).toEqual([]);
    });

    test("by how their last turn ended, where none is open; what is idle is that still", async () => {
      const ended = async (i: number, status: "completed" | "failed" | "cancelled") => {
        const turn_id = `trn_${i}`;
        await put(i, { type: "runtime.request.started", data: { turn_id, input: "Hi" } });
        await put(i, { type: "runtime.turn.ended", data: { turn_id, status } });
      };
      await ended(0, "failed");
      await ended(1, "completed");
      await ended(2, "cancelled");
      expect(await list({ status: ["failed"] })).toEqual([0]);
      expect(await list({ status: ["completed"] })).toEqual([1]);
      expect((await list({ status: ["idle"] })).toSorted()).toEqual([0, 1, 2]);
      expect(await list({ status: ["cancelled"] })).toEqual([]);
      const { rows } = await w.services.sessions.list(ADA, { status: ["failed"] });
      expect(rows).toMatchObject([{ status: "idle", last_turn: "failed" }]);
      // Once it is tried again, it is not what it was.
      await put(0, { type: "runtime.request.started", data: { turn_id: "trn_9", input: "Hi" } });
      expect(await list({ status: ["failed"] })).toEqual([]);
    });

    test("and a cursor of another order is refused", async () => {
      const { cursor } = await w.services.sessions.list(ADA, { limit: 1 });
      expect(await codeOf(w.services.sessions.list(ADA, { sort: "cost", cursor: cursor ?? "" }))).toBe(
        "invalid_cursor",
      );
    });
  });
