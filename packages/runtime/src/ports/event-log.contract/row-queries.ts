import { beforeAll, expect, it } from "vitest";
import { folded } from "../../domain/folded.ts";
import type { EventLog } from "../event-log.ts";
import type { Projection } from "../projection.ts";
import type { RowOrder, RowQuery, RowTest } from "../row-query.ts";
import { create, events, newSession, one, SPEC } from "./support.ts";

interface Card {
  readonly title: string | null;
  readonly kind: string;
  readonly metadata: Readonly<Record<string, unknown>>;
}

/** A session's state as a row, to ask for in every way. */
export const card: Projection<Card> = {
  kind: "card",
  types: ["runtime.session.state"],
  key: (event) => event.stream,
  evolve: (_, event) => event.data as unknown as Card,
  state: ({ kind }) => kind ?? "none",
  at: ({ metadata }) => Number(metadata?.["at"] ?? 0),
  // One that has no title stands for those from before there were marks.
  marks: ({ title, metadata }) =>
    title === null || title === undefined
      ? []
      : [
          { kind: "card_text", at: 0, text: folded(title) },
          { kind: "card_size", at: Number(metadata["size"]) * 10 + Number(metadata["at"]) },
        ],
};

const PROJECT = "prj_cards";
const ODD = 'an "odd" name';
const CARDS: readonly Card[] = [
  {
    title: "Über allem, İstanbul, ΟΔΌΣ",
    kind: "chat",
    metadata: { at: 1, size: 2.5, tags: ["red"], seen: { ada: 4 }, upto: 5 },
  },
  { title: "Plain 100% work", kind: "background", metadata: { at: 2, size: 10, seen: { ada: 5 }, upto: 5 } },
  { title: null, kind: "chat", metadata: { at: 3, risk: "low", seen: { [ODD]: 9 }, upto: 5 } },
  {
    title: "Odd \u0000 \ud800 \\ud800 \\\\u0000 text",
    kind: "chat",
    metadata: { at: 4, size: 2.5, risk: "high", upto: 5 },
  },
];

export function rowQuerySuite(log: () => EventLog): void {
  beforeAll(async () => {
    for (const { title, kind, metadata } of CARDS) {
      const id = newSession();
      const data = { session_id: id, status: "idle" as const, title, kind, metadata };
      events(
        await log().append(
          one({
            stream: id,
            create: { ...SPEC, project: PROJECT },
            events: [{ type: "runtime.session.state", data }],
          }),
        ),
      );
    }
  });

  const list = async (query: RowQuery): Promise<unknown[]> =>
    (await log().rows<Card>("card", { scope: { project: PROJECT }, ...query })).rows.map(
      ({ metadata }) => metadata["at"],
    );
  const fitting = (...where: readonly RowTest[]) => list({ where });

  it("finds rows by what their documents say", async () => {
    expect(await fitting({ field: ["kind"], in: ["chat"] })).toEqual([4, 3, 1]);
    expect(await fitting({ field: ["kind"], not: ["chat"] })).toEqual([2]);
    expect(await fitting({ field: ["metadata", "risk"], in: ["high", "low"] })).toEqual([4, 3]);
    // What is not there is none of them.
    expect(await fitting({ field: ["metadata", "risk"], not: ["high"] })).toEqual([3, 2, 1]);
    expect(await fitting({ field: ["kind"], in: [] })).toEqual([]);
    expect(await fitting({ field: ["kind"], in: ["' or 1=1 --", "a\u0000b"] })).toEqual([]);
    expect(await fitting({ field: ["kind"], not: ["a\u0000b"] })).toEqual([4, 3, 2, 1]);
  });

  it("finds words in the text that is kept of a row, whatever their case and their characters", async () => {
    const found = (...words: readonly string[]) => fitting({ words: words.map(folded), mark: "card_text" });
    expect(await found("WORK", "plain")).toEqual([2]);
    expect(await found("100%")).toEqual([2]);
    expect(await found("ber allem")).toEqual([1]);
    expect(await found("work", "allem")).toEqual([]);
    expect(await found("_%")).toEqual([]);
    expect(await found("odd", "text")).toEqual([4]);
    expect(await found("' or 1=1 --")).toEqual([]);
    expect(await found()).toEqual([4, 3, 2, 1]);
    // Case is not a matter of where the database stands.
    for (const word of ["ÜBER", "über", "u\u0308ber", "U\u0308BER"]) expect(await found(word)).toEqual([1]);
    for (const word of ["istanbul", "ISTANBUL", "İstanbul"]) expect(await found(word)).toEqual([1]);
    expect(await found("ıstanbul")).toEqual([]);
    for (const word of ["ΟΔΌΣ", "οδός", "οδόσ"]) expect(await found(word)).toEqual([1]);
    // What no database keeps is looked for as what stands for it.
    expect(await found("\u0000")).toEqual([4]);
    expect(await found("\ud800")).toEqual([4]);
    // Of one without such a text, its document is looked at.
    expect(await found("low")).toEqual([3]);
  });

  it("tells what somebody has noted from what is newer, by any name", async () => {
    const test = (key: string, is: boolean): RowTest => ({
      noted: ["metadata", "seen"],
      key,
      below: ["metadata", "upto"],
      is,
    });
    expect(await fitting(test("ada", true))).toEqual([4, 3, 1]);
    expect(await fitting(test("ada", false))).toEqual([2]);
    expect(await fitting(test(ODD, false))).toEqual([3]);
    expect(await fitting(test("toString", true))).toEqual([4, 3, 2, 1]);
  });

  it("counts what it would list", async () => {
    const scope = { project: PROJECT };
    expect(await log().count("card", { scope })).toBe(4);
    expect(await log().count("card", { scope, state: ["chat"] })).toBe(3);
    expect(await log().count("card", { scope, state: [] })).toBe(0);
    expect(await log().count("card", { scope, where: [{ field: ["metadata", "risk"], in: ["low"] }] })).toBe(
      1,
    );
    expect(await log().count("card", { scope: { project: "none" } })).toBe(0);
  });

  it("sorts by a number, a text or a rank, page by page, and loses nothing where they are equal", async () => {
    const orders = {
      size: { field: ["metadata", "size"], otherwise: 0 },
      smallest: { field: ["metadata", "size"], otherwise: 0, ascending: true },
      title: { field: ["kind"], otherwise: "", ascending: true },
      risk: { field: ["metadata", "risk"], ranks: ["high", "low"], otherwise: 9, ascending: true },
    };
    const pages = async (order: RowOrder): Promise<unknown[]> => {
      const found: unknown[] = [];
      for (let cursor: string | undefined; ;) {
        const page = await log().rows<Card>("card", {
          scope: { project: PROJECT },
          order,
          limit: 1,
          ...(cursor === undefined ? {} : { cursor }),
        });
        found.push(...page.rows.map(({ metadata }) => metadata["at"]));
        if (page.cursor === null) return found;
        cursor = page.cursor;
      }
    };
    expect(await pages(orders.size)).toEqual([2, 4, 1, 3]);
    expect(await pages(orders.smallest)).toEqual([3, 4, 1, 2]);
    expect(await pages(orders.title)).toEqual([2, 4, 3, 1]);
    expect(await pages(orders.risk)).toEqual([4, 3, 2, 1]);
    // By a mark; what has none comes last.
    expect(await pages({ mark: "card_size" })).toEqual([2, 4, 1, 3]);
    const [last, ...equal] = (await pages({ mark: "card_text" })).toReversed();
    expect([last, new Set(equal), equal.length]).toEqual([3, new Set([1, 2, 4]), 3]);
    expect(await pages({ mark: "nothing" })).toEqual([4, 3, 2, 1]);
    // What went back to nothing is after all that is more, as is what never was.
    const project = "prj_back";
    const kept: string[] = [];
    for (const size of [3, 0, 2]) {
      const id = newSession();
      kept.push(id);
      for (const now of [0, size, size === 3 ? 0 : size]) {
        const metadata = { at: 0, size: now };
        const data = { session_id: id, status: "idle" as const, title: "Sized", kind: "chat", metadata };
        const first = now === 0 && (await log().stream(id)) === undefined;
        const write = { stream: id, events: [{ type: "runtime.session.state" as const, data }] };
        events(await log().append(one(first ? { ...write, create: { ...SPEC, project } } : write)));
      }
    }
    const order = { mark: "card_size" };
    const sized = (await log().rows<{ session_id: string }>("card", { scope: { project }, order })).rows;
    const [most, ...nothing] = sized.map(({ session_id }) => kept.indexOf(session_id));
    expect([most, nothing.toSorted()]).toEqual([2, [0, 1]]);
    const { cursor } = await log().rows("card", { scope: { project: PROJECT }, limit: 1 });
    for (const order of [orders.size, { mark: "card_size" }])
      await expect(log().rows("card", { order, cursor: cursor ?? "" })).rejects.toMatchObject({
        code: "invalid_cursor",
      });
  });

  it("finds rows by their ids, and by a row of another kind beside them", async () => {
    const project = "prj_beside";
    const [first, second] = [await create(log(), 2, { project }), await create(log(), 3, { project })];
    const ids = async (query: RowQuery) =>
      (await log().rows<{ session_id: string }>("card", { scope: { project }, ...query })).rows.map(
        ({ session_id }) => session_id,
      );
    expect(await ids({ ids: [first, "ses_none"] })).toEqual([first]);
    expect(await ids({ ids: [] })).toEqual([]);
    expect(await ids({ beside: { kind: "token_count", state: ["even"] } })).toEqual([second]);
    const noted: RowTest = { noted: ["nothing"], key: "x", below: ["count"], is: true };
    const both = { kind: "token_count", state: ["even", "odd"] };
    expect(new Set(await ids({ beside: { ...both, where: [noted] } }))).toEqual(new Set([first, second]));
  });
}
