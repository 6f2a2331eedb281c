import { SESSION_STATUSES } from "@fairlead/contract";
import { expect, test } from "vitest";
import { KERNEL_TABLE, type KernelState } from "../../runtime/src/domain/kernel/table.ts";
import { ordersOf, ORDERS } from "../src/session/orders.ts";
import { afterSent, firstWay, offerOf, type Standing } from "../src/session/ways.ts";

const STATES = SESSION_STATUSES.filter((status): status is KernelState => status !== "idle");

const standing = (status: string, is: Partial<Standing> = {}): Standing => ({
  kind: "background",
  status,
  open: false,
  resumable: false,
  ...is,
});
const PLAIN = { pausing: false, waits: false };
/** In which a pause may be ordered and not heard yet. */
const UNHEARD = ["queued", "running", "awaiting_approval"] as const;

test("background work is never sent to nor queued for: the server refuses both", () => {
  for (const status of SESSION_STATUSES)
    for (const open of [true, false])
      for (const resumable of [true, false]) {
        const offer = offerOf(standing(status, { open, resumable }));
        expect([offer.send, offer.queue]).toEqual([undefined, undefined]);
      }
});

test.each(STATES)("%s background work is offered to be resumed where the kernel resumes it", (status) => {
  for (const open of [true, false])
    expect(offerOf(standing(status, { open })).resume === "yes").toBe("to" in KERNEL_TABLE[status].resume);
});

test("what waits for a time, or was told to pause, is resumed with a text once it has begun", () => {
  for (const status of UNHEARD) {
    const offer = offerOf(standing(status, { open: true, resumable: true }));
    expect([status, offer.resume, offer.steer, firstWay(offer)]).toEqual([status, "yes", "yes", "steer"]);
    expect(offerOf(standing(status, { resumable: true })).resume).toMatch(/not begun/);
  }
  expect(offerOf(standing("completed", { resumable: true })).resume).toMatch(/over/);
});

test("whatever state background work is in, there is a way to say something, or a reason why not", () => {
  for (const status of STATES) {
    const offer = offerOf(standing(status, { open: status === "running" }));
    const reasons = Object.values(offer).filter((word) => word !== "yes");
    expect(firstWay(offer) !== null || reasons.length > 0).toBe(true);
    for (const reason of reasons) expect(reason).toMatch(/\.$/);
  }
  expect(firstWay(offerOf(standing("running", { open: true })))).toBe("steer");
  expect(firstWay(offerOf(standing("completed")))).toBe("branch");
});

test("a chat is sent to, and steered or queued for while a turn is open", () => {
  expect(firstWay(offerOf(standing("idle", { kind: "chat" })))).toBe("send");
  const busy = offerOf(standing("running", { kind: "chat", open: true }));
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
  for (const order of ordersOf(status, PLAIN))
    expect([order, "to" in KERNEL_TABLE[status][order]]).toEqual([order, true]);
  expect(ordersOf("a state of a newer server", { pausing: true, waits: true })).toEqual([]);
  const taken = ORDERS.filter((order) => order !== "cancel" && "to" in KERNEL_TABLE[status][order]);
  // Pausing what is paused changes nothing, so it is not offered.
  expect(ordersOf(status, PLAIN)).toEqual(expect.arrayContaining(status === "paused" ? ["resume"] : taken));
});

test("a pause that was ordered is not ordered again, and is taken back until it is heard", () => {
  for (const status of [...UNHEARD, "recovering"])
    for (const waits of [true, false])
      expect([status, ordersOf(status, { pausing: true, waits })]).toEqual([status, ["resume", "cancel"]]);
});

test("what waits for a time can be tried now, where the kernel tries it", () => {
  for (const status of STATES.filter((one) => "to" in KERNEL_TABLE[one].hasten))
    expect([status, ordersOf(status, { pausing: false, waits: true })]).toEqual([
      status,
      ["pause", "resume", "cancel"],
    ]);
  expect(ordersOf("completed", { pausing: false, waits: true })).toEqual([]);
});
