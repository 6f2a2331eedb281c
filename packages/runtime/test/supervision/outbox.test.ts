import type { AhpEvent } from "@fairlead/ahp";
import { describe, expect, test } from "vitest";
import { createOutbox, type Dropped } from "../../src/services/supervision/outbox.ts";
import { handTime, settle } from "../support/world.ts";

const event = (n: number) => ({ event_type: "post_action", payload: n }) as unknown as AhpEvent;

function outbox(send: (n: number) => Promise<void>, most = 3) {
  const time = handTime();
  const lost: Dropped[] = [];
  const box = createOutbox({
    send: ({ payload }) => send(payload as number),
    timers: time.timers,
    timeoutMs: 500,
    most,
    dropped: (dropped) => void lost.push(dropped),
  });
  return { box, time, lost };
}

describe("an outbox", () => {
  test("sends at once when nothing waits, then one after the other", async () => {
    const sent: number[] = [];
    const first = Promise.withResolvers<void>();
    const { box } = outbox((n) => {
      sent.push(n);
      return n === 1 ? first.promise : Promise.resolve();
    });
    box.put(event(1));
    expect(sent).toEqual([1]);
    box.put(event(2));
    box.put(event(3));
    await settle();
    expect(sent).toEqual([1]);
    first.resolve();
    await settle();
    expect(sent).toEqual([1, 2, 3]);
  });

  test("drops the oldest that waits when there are too many, and says so once", async () => {
    const sent: number[] = [];
    const first = Promise.withResolvers<void>();
    const { box, time, lost } = outbox((n) => {
      sent.push(n);
      return n === 0 ? first.promise : Promise.resolve();
    });
    for (let n = 0; n < 7; n++) box.put(event(n));
    first.resolve();
    await settle();
    expect(sent).toEqual([0, 4, 5, 6]);
    await time.advance(1_000);
    expect(lost).toEqual([{ count: 3, reason: "More than 3 notifications wait." }]);
  });

  test("gives up on one that is not taken, and goes on; what fails is counted", async () => {
    const sent: number[] = [];
    const { box, time, lost } = outbox((n) => {
      sent.push(n);
      if (n === 1) return new Promise(() => {});
      if (n === 2) return Promise.reject(new Error("Broken."));
      if (n === 3) throw new Error("At once.");
      return Promise.resolve();
    }, 9);
    for (const n of [1, 2, 3, 4]) box.put(event(n));
    await time.advance(500);
    expect(sent).toEqual([1, 2, 3, 4]);
    await time.advance(1_000);
    expect(lost).toEqual([{ count: 3, reason: "At once." }]);
    box.drop("Later.");
    await time.advance(1_000);
    expect(lost[1]).toEqual({ count: 1, reason: "Later." });
  });

  test("waits a moment for the last ones when it closes, and takes no more", async () => {
    const first = Promise.withResolvers<void>();
    const sent: number[] = [];
    const { box, time, lost } = outbox((n) => {
      sent.push(n);
      return first.promise;
    });
    box.put(event(1));
    box.put(event(2));
    const closing = box.close();
    box.put(event(3));
    first.resolve();
    await closing;
    expect(sent).toEqual([1, 2]);
    await time.advance(1_000);
    expect(lost).toEqual([{ count: 1, reason: "The supervisor is closed." }]);
    const stuck = outbox(() => new Promise(() => {}));
    stuck.box.put(event(1));
    const end = stuck.box.close();
    await stuck.time.advance(1_000);
    await expect(end).resolves.toBeUndefined();
  });
});
