import { expect, it } from "vitest";
import type { EventLog } from "../event-log.ts";
import {
  SPEC,
  create,
  events,
  newEventId,
  newSession,
  one,
  readWhole,
  refusal,
  seqs,
  state,
  token,
} from "./support.ts";

export function appendSuite(log: () => EventLog): void {
  it("numbers events from 1 without a gap and returns them as readers see them", async () => {
    const id = await create(log(), 3);
    const written = events(await log().append(one({ stream: id, events: [token("a"), token("b")] })));
    expect(seqs(written)).toEqual([4, 5]);
    expect((await log().read(id, { after: 3 })).events).toEqual(written);
    expect(written[0]).toMatchObject({
      stream: id,
      type: "agent.output.delta",
      v: 1,
      turn_id: "trn_1",
      agent_id: null,
      cause: null,
      owner: "agent",
      data: { text: "a" },
    });
    expect(Object.keys(written[0] ?? {})).toEqual([
      "id",
      "seq",
      "stream",
      "at",
      "type",
      "v",
      "turn_id",
      "agent_id",
      "cause",
      "owner",
      "data",
    ]);
    const ids = (await readWhole(log(), id)).map((event) => event.id);
    expect(ids).toEqual(ids.toSorted());
  });

  it("writes to many streams in one commit, or to none", async () => {
    const [a, b] = [await create(log()), await create(log())];
    const both = await log().append({
      writes: [
        { stream: a, events: [token("x")] },
        { stream: b, events: [token("y"), token("z")] },
      ],
    });
    expect(events(both).map((event) => [event.stream, event.seq])).toEqual([
      [a, 2],
      [b, 2],
      [b, 3],
    ]);
    const half = await log().append({
      writes: [
        { stream: a, events: [token("no")] },
        { stream: b, events: [token("no")], guard: { expectedSeq: 99 } },
      ],
    });
    expect(refusal(half)).toBe("seq_conflict");
    expect((await log().stream(a))?.head_seq).toBe(2);
    expect((await log().stream(b))?.head_seq).toBe(3);
  });

  it("keeps arrival order and loses nothing among many concurrent writers", async () => {
    const id = await create(log());
    const answers = await Promise.all(
      Array.from({ length: 300 }, (_, i) => log().append(one({ stream: id, events: [token(`${i}`)] }))),
    );
    expect(answers.flatMap((answer) => seqs(events(answer)))).toEqual(
      Array.from({ length: 300 }, (_, i) => i + 2),
    );
    const texts = (await readWhole(log(), id)).slice(1).map((event) => (event.data as { text: string }).text);
    expect(texts).toEqual(Array.from({ length: 300 }, (_, i) => `${i}`));
  });

  it("guards by expected seq: one of many wins, the others hear where the stream is", async () => {
    const id = await create(log());
    const answers = await Promise.all(
      Array.from({ length: 20 }, () =>
        log().append(one({ stream: id, events: [token("mine")], guard: { expectedSeq: 1 } })),
      ),
    );
    expect(answers.filter((answer) => answer.ok)).toHaveLength(1);
    const lost = answers.find((answer) => !answer.ok);
    expect(lost).toMatchObject({
      ok: false,
      refusal: { code: "seq_conflict", details: { stream: id, expected_seq: 1, head_seq: 2 } },
    });
    expect((await log().stream(id))?.head_seq).toBe(2);
  });

  it("refuses what does not fit its schema, changes nothing, and leaves the neighbours alone", async () => {
    const id = await create(log());
    const bad = [
      { type: "agent.output.delta", data: { text: 7 } },
      { type: "no.such.event", data: {} },
      { type: "runtime.session.created", data: { session_id: id } },
      { type: "toString", data: {} },
    ] as never[];
    const answers = await Promise.all([
      log().append(one({ stream: id, events: [token("before")] })),
      ...bad.map((event) => log().append(one({ stream: id, events: [token("with it"), event] }))),
      log().append(one({ stream: id, events: [token("after")] })),
    ]);
    expect(answers.map(refusal)).toEqual([
      "accepted",
      "event_invalid",
      "event_unknown",
      "event_invalid",
      "event_unknown",
      "accepted",
    ]);
    expect(answers[1]).toMatchObject({
      refusal: { details: { type: "agent.output.delta", issues: [{ path: "text" }] } },
    });
    expect((await readWhole(log(), id)).map((event) => (event.data as { text?: string }).text)).toEqual([
      undefined,
      "before",
      "after",
    ]);
  });

  it("fails only the append that the store cannot take", async () => {
    const id = await create(log());
    const taken = newEventId();
    events(await log().append(one({ stream: id, events: [{ ...token("first"), id: taken }] })));
    const answers = await Promise.allSettled([
      log().append(one({ stream: id, events: [token("a")] })),
      log().append(one({ stream: id, events: [{ ...token("the id is taken"), id: taken }] })),
      log().append(one({ stream: id, events: [token("b")] })),
    ]);
    expect(answers.map((answer) => answer.status)).toEqual(["fulfilled", "rejected", "fulfilled"]);
    expect(
      (await readWhole(log(), id)).slice(1).map((event) => (event.data as { text: string }).text),
    ).toEqual(["first", "a", "b"]);
    expect((await log().verify(id)).broken).toEqual([]);
  });

  it("makes a stream once and refuses to write where there is none", async () => {
    const id = newSession();
    const answers = await Promise.all([
      log().append(one({ stream: id, events: [token("too early")] })),
      log().append(one({ stream: id, create: SPEC, events: [state(id)] })),
      log().append(one({ stream: id, create: SPEC, events: [state(id)] })),
      log().append(one({ stream: id, events: [token("now")] })),
    ]);
    expect(answers.map(refusal)).toEqual(["session_not_found", "accepted", "stream_exists", "accepted"]);
    expect(await log().stream(id)).toMatchObject({
      id,
      ...SPEC,
      head_seq: 2,
      base_seq: 0,
      floor_seq: 0,
      parent: null,
      state: "open",
    });
    expect(await log().stream(newSession())).toBeUndefined();
  });

  it("lets a key be claimed once, and says by which event", async () => {
    const id = await create(log());
    const key = `decided:${id}`;
    const answers = await Promise.all(
      Array.from({ length: 10 }, (_, i) => log().append(one({ stream: id, events: [token(`${i}`)] }, [key]))),
    );
    expect(answers.map(refusal)).toEqual(["accepted", ...Array.from({ length: 9 }, () => "key_taken")]);
    expect(answers[3]).toMatchObject({ refusal: { details: { key, stream: id, seq: 2 } } });
    expect(await log().findKey(key)).toEqual({ key, stream: id, seq: 2 });
    expect(refusal(await log().append(one({ stream: id, events: [token("later")] }, [key])))).toBe(
      "key_taken",
    );
    expect(await log().findKey("never claimed")).toBeUndefined();
    expect((await log().stream(id))?.head_seq).toBe(2);
  });

  it("finds an event by its id", async () => {
    const id = await create(log(), 2);
    const [, event] = await readWhole(log(), id);
    expect(await log().findEvent(event?.id ?? "")).toEqual(event);
    expect(await log().findEvent("evt_none")).toBeUndefined();
  });

  it("takes an append larger than a group's bounds", async () => {
    const id = await create(log());
    const many = Array.from({ length: 2_000 }, (_, i) => token(`${i}`));
    expect(events(await log().append(one({ stream: id, events: many }))).at(-1)?.seq).toBe(2_001);
    expect((await log().verify(id)).broken).toEqual([]);
  });
}
