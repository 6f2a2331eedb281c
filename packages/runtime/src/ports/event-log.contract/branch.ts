import { expect, it } from "vitest";
import type { EventLog } from "../event-log.ts";
import {
  SPEC,
  branch,
  create,
  events,
  failureOf,
  newSession,
  one,
  readWhole,
  refusal,
  seed,
  seqs,
  take,
  token,
} from "./support.ts";

const shape = (some: Awaited<ReturnType<typeof readWhole>>) =>
  some.map((event) => `${event.type === "runtime.log.gap" ? "gap" : event.stream}:${event.seq}`);

export function branchSuite(log: () => EventLog): void {
  it("goes on from the fork: own history begins with the seed, full history with the parent", async () => {
    const parent = await create(log(), 10);
    const child = await branch(log(), parent, 6);
    events(await log().append(one({ stream: child, events: [token("mine")] })));
    expect(seqs(await readWhole(log(), child))).toEqual([7, 8]);
    expect((await readWhole(log(), child))[0]).toMatchObject({
      type: "runtime.session.checkpoint",
      data: { checkpoint_type: "resume_seed" },
    });
    expect(shape(await readWhole(log(), child, "full"))).toEqual([
      ...[1, 2, 3, 4, 5, 6].map((n) => `${parent}:${n}`),
      `${child}:7`,
      `${child}:8`,
    ]);
    expect(seqs((await log().read(child, { before: 8, limit: 3, history: "full" })).events)).toEqual([
      7, 6, 5,
    ]);
    expect(seqs(await take(log(), child, 6, 2, "full"))).toEqual([3, 4, 5, 6, 7, 8]);
    expect(await log().stream(child)).toMatchObject({ parent, base_seq: 6, head_seq: 8 });
    expect((await log().verify(child)).broken).toEqual([]);
    expect(seqs(await readWhole(log(), parent))).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10]);
  });

  it("branches from a branch, and from what a branch inherited", async () => {
    const a = await create(log(), 8);
    const b = await branch(log(), a, 5);
    events(await log().append(one({ stream: b, events: [token("b7"), token("b8")] })));
    const c = await branch(log(), b, 7);
    const d = await branch(log(), b, 3);
    expect(shape(await readWhole(log(), c, "full"))).toEqual(
      [1, 2, 3, 4, 5].map((n) => `${a}:${n}`).concat([`${b}:6`, `${b}:7`, `${c}:8`]),
    );
    expect(await log().stream(d)).toMatchObject({ parent: a, base_seq: 3 });
    expect(shape(await readWhole(log(), d, "full"))).toEqual([`${a}:1`, `${a}:2`, `${a}:3`, `${d}:4`]);
    expect((await log().verify()).broken).toEqual([]);
  });

  it("refuses to branch where there is no event", async () => {
    const parent = await create(log(), 5);
    const at = async (from: typeof parent, seq: number) => {
      const id = newSession();
      return refusal(
        await log().append(
          one({ stream: id, create: { ...SPEC, fork: { parent: from, seq } }, events: [seed(id)] }),
        ),
      );
    };
    expect(await at(parent, 6)).toBe("invalid_cursor");
    expect(await at(parent, 0)).toBe("invalid_cursor");
    expect(await at(parent, 1.5)).toBe("invalid_cursor");
    expect(await at(newSession(), 1)).toBe("session_not_found");
    await log().trim(parent, 3);
    expect(await at(parent, 2)).toBe("invalid_cursor");
    expect(await at(parent, 3)).toBe("accepted");
  });

  it("trims with an anchor: readers behind it get a gap, the chain stays checkable", async () => {
    const id = await create(log(), 10);
    expect(await log().trim(id, 4)).toMatchObject({ floor_seq: 4, head_seq: 10 });
    const [gap, ...rest] = await readWhole(log(), id);
    expect(gap).toMatchObject({
      type: "runtime.log.gap",
      seq: 4,
      data: { from_seq: 1, to_seq: 4, reason: "trimmed" },
    });
    expect(seqs(rest)).toEqual([5, 6, 7, 8, 9, 10]);
    expect((await log().read(id, { after: 2 })).events[0]).toMatchObject({
      data: { from_seq: 3, to_seq: 4 },
    });
    expect(seqs((await log().read(id, { after: 4 })).events)).toEqual([5, 6, 7, 8, 9, 10]);
    expect(shape([...(await log().read(id, { before: 7 })).events])).toEqual([`${id}:6`, `${id}:5`, "gap:4"]);
    expect(seqs(await take(log(), id, 3, 1))).toEqual([4, 5, 6, 7, 8, 9, 10]);
    events(await log().append(one({ stream: id, events: [token("after")] })));
    expect(await log().verify(id)).toMatchObject({ events: 7, broken: [] });
    expect(await log().trim(id, 2)).toMatchObject({ floor_seq: 4 });
    await expect(log().trim(id, 12)).rejects.toMatchObject({ code: "invalid_cursor" });
    await expect(log().trim(id, 0)).rejects.toMatchObject({ code: "invalid_cursor" });
    await log().trim(id, 11);
    expect(shape(await readWhole(log(), id))).toEqual(["gap:11"]);
    events(await log().append(one({ stream: id, events: [token("12")] })));
    expect(await log().verify(id)).toMatchObject({ events: 1, broken: [] });
  });

  it("keeps what a branch still needs when the parent is trimmed, and lets it go with the branch", async () => {
    const parent = await create(log(), 10);
    const child = await branch(log(), parent, 6);
    await log().trim(parent, 8);
    expect(shape(await readWhole(log(), parent))).toEqual(["gap:8", `${parent}:9`, `${parent}:10`]);
    expect(seqs(await readWhole(log(), child, "full"))).toEqual([1, 2, 3, 4, 5, 6, 7]);
    expect((await log().verify()).broken).toEqual([]);
    expect((await log().verify(parent)).events).toBe(8);
    await log().purge(child);
    expect((await log().verify(parent)).events).toBe(2);
    expect((await log().verify()).broken).toEqual([]);
  });

  it("lets the parent's prefix go when the branch itself is trimmed past its fork", async () => {
    const parent = await create(log(), 10);
    const child = await branch(log(), parent, 6);
    events(await log().append(one({ stream: child, events: [token("8"), token("9")] })));
    await log().trim(parent, 9);
    await log().trim(child, 4);
    expect(shape(await readWhole(log(), child, "full"))).toEqual([
      "gap:4",
      `${parent}:5`,
      `${parent}:6`,
      `${child}:7`,
      `${child}:8`,
      `${child}:9`,
    ]);
    expect((await log().verify(parent)).events).toBe(3);
    await log().trim(child, 8);
    expect(shape(await readWhole(log(), child, "full"))).toEqual(["gap:8", `${child}:9`]);
    expect((await log().verify(parent)).events).toBe(1);
    expect((await log().verify()).broken).toEqual([]);
  });

  it("purges to a tombstone, but not what a branch reads", async () => {
    const parent = await create(log(), 10);
    const child = await branch(log(), parent, 4);
    const follower = failureOf(take(log(), parent, 99, 10));
    await log().purge(parent);
    expect(await follower).toBe("session_purged");
    await expect(log().read(parent)).rejects.toMatchObject({ code: "session_purged" });
    expect(await log().stream(parent)).toMatchObject({ state: "purged" });
    expect(refusal(await log().append(one({ stream: parent, events: [token("too late")] })))).toBe(
      "session_purged",
    );
    await expect(log().purge(parent)).rejects.toMatchObject({ code: "session_purged" });
    expect(seqs(await readWhole(log(), child, "full"))).toEqual([1, 2, 3, 4, 5]);
    expect((await log().verify(parent)).events).toBe(4);
    await log().purge(child);
    expect((await log().verify(parent)).events).toBe(0);
    expect((await log().verify()).broken).toEqual([]);
    const id = newSession();
    expect(
      refusal(
        await log().append(
          one({ stream: id, create: { ...SPEC, fork: { parent, seq: 2 } }, events: [seed(id)] }),
        ),
      ),
    ).toBe("session_purged");
  });

  it("tells a follower who has seen live events that the stream was purged", async () => {
    const id = await create(log());
    const seen: number[] = [];
    const follower = failureOf(
      (async () => {
        for await (const batch of log().subscribe(id)) seen.push(...seqs(batch));
      })(),
    );
    while (!seen.includes(1)) await new Promise((resolve) => setTimeout(resolve, 1));
    events(await log().append(one({ stream: id, events: [token("live")] })));
    while (!seen.includes(2)) await new Promise((resolve) => setTimeout(resolve, 1));
    await log().purge(id);
    expect(await follower).toBe("session_purged");
  });

  it("leaves nothing of a stream that is purged while others write to it", async () => {
    const id = await create(log(), 5);
    let writing = true;
    const writers = Promise.all(
      Array.from({ length: 4 }, async () => {
        while (writing) if (!(await log().append(one({ stream: id, events: [token("x")] }))).ok) return;
      }),
    );
    await new Promise((resolve) => setTimeout(resolve, 20));
    await log().purge(id);
    writing = false;
    await writers;
    expect(await log().verify(id)).toMatchObject({ events: 0, broken: [] });
  });
}
