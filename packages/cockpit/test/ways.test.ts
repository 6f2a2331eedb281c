import { SESSION_STATUSES } from "@fairlead/contract";
import { expect, test } from "vitest";
import { KERNEL_TABLE, type KernelState } from "../../runtime/src/domain/kernel/table.ts";
import { ordersOf, ORDERS } from "../src/session/orders.ts";
import { afterSent, firstWay, offerOf } from "../src/session/ways.ts";

const STATES = SESSION_STATUSES.filter((status): status is KernelState => status !== "idle");

test("background work is never sent to nor queued for: the server refuses both", () => {
  for (const status of SESSION_STATUSES)
    for (const open of [true, false]) {
      const offer = offerOf({ kind: "background", status, open });
      expect([offer.send, offer.queue]).toEqual([undefined, undefined]);
    }
});

test.each(STATES)("%s background work is offered to be resumed where the kernel resumes it", (status) => {
  const offer = offerOf({ kind: "background", status, open: false });
  expect(offer.resume === "yes").toBe("to" in KERNEL_TABLE[status].resume);
});

test("whatever state background work is in, there is a way to say something, or a reason why not", () => {
  for (const status of STATES) {
    const offer = offerOf({ kind: "background", status, open: status === "running" });
    const reasons = Object.values(offer).filter((word) => word !== "yes");
    expect(firstWay(offer) !== null || reasons.length > 0).toBe(true);
    for (const reason of reasons) expect(reason).toMatch(/\.$/);
  }
  expect(firstWay(offerOf({ kind: "background", status: "running", open: true }))).toBe("steer");
  expect(firstWay(offerOf({ kind: "background", status: "completed", open: false }))).toBe("branch");
});

test("a chat is sent to, and steered or queued for while a turn is open", () => {
  expect(firstWay(offerOf({ kind: "chat", status: "idle", open: false }))).toBe("send");
  const busy = offerOf({ kind: "chat", status: "running", open: true });
  expect(firstWay(busy)).toBe("steer");
  expect(busy).toMatchObject({ queue: "yes", stop: "yes" });
  expect(busy.send).toMatch(/open/);
});

test("what was written while a text was sent stays in the field", () => {
  expect(afterSent("hello", "hello")).toBe("");
  expect(afterSent("hello\nand more", "hello")).toBe("and more");
  expect(afterSent("something else", "hello")).toBe("something else");
  expect(afterSent("hello", "hello ")).toBe("hello");
});

test.each(STATES)("what can be ordered of %s work is what the kernel takes", (status) => {
  for (const order of ordersOf(status, false))
    expect([order, "to" in KERNEL_TABLE[status][order]]).toEqual([order, true]);
  expect(ordersOf("a state of a newer server", false)).toEqual([]);
  const taken = ORDERS.filter((order) => order !== "cancel" && "to" in KERNEL_TABLE[status][order]);
  // Pausing what is paused changes nothing, so it is not offered.
  expect(ordersOf(status, false)).toEqual(expect.arrayContaining(status === "paused" ? ["resume"] : taken));
});

test("a pause that was ordered is not ordered again, and is taken back where it can be", () => {
  expect(ordersOf("running", true)).toEqual(["resume", "cancel"]);
  expect(ordersOf("awaiting_approval", true)).toEqual(["cancel"]);
  expect(ordersOf("recovering", true)).toEqual(["resume", "cancel"]);
});
