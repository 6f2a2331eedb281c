import { expect, test } from "vitest";
import { createLeaveKey } from "../../src/chat/leave-key.ts";

function keyAt() {
  let ms = 0;
  const key = createLeaveKey(() => ms);
  return { key, after: (more: number) => void (ms += more) };
}

test("a second Ctrl-C leaves, however late: the screen says so all the while", () => {
  const { key, after } = keyAt();
  expect(key.pressed()).toBe(false);
  after(60_000);
  expect(key.pressed()).toBe(true);
});

test("after anything else was pressed it is a first one again, however soon", () => {
  const { key } = keyAt();
  key.pressed();
  key.other();
  expect(key.pressed()).toBe(false);
  expect(key.pressed()).toBe(true);
});

test("once the turn is cancelled only one that follows at once leaves", () => {
  const { key, after } = keyAt();
  key.pressed();
  key.done();
  after(100);
  expect(key.pressed()).toBe(true);
  key.other();
  key.pressed();
  key.done();
  after(10_000);
  expect(key.pressed()).toBe(false);
});

test("a turn that is cancelled late takes nothing back that was pressed since", () => {
  const { key } = keyAt();
  key.pressed();
  key.other();
  key.done();
  expect(key.pressed()).toBe(false);
});
