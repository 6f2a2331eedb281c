import { ServerError } from "@fairlead/client";
import { expect, test } from "vitest";
import { createActs, LEFT } from "../src/lib/acts.ts";

const refusal = (status: number) =>
  new ServerError(status, { code: "internal_error", message: "No.", hint: "", details: {} } as never);

function acts() {
  let keys = 0;
  const ends: (() => void)[] = [];
  const rest = () => new Promise<void>((resolve) => void ends.push(resolve));
  const sent: string[] = [];
  const { run } = createActs(() => `key ${++keys}`, rest);
  const send = (what: unknown, answer: () => unknown = () => null) =>
    run(what, async (key) => {
      sent.push(key);
      return answer();
    });
  return { send, sent, ends };
}

const fails = (error: unknown) => () => {
  throw error;
};

test("a second press while one is under way, or right after it, sends nothing", async () => {
  const { send, sent, ends } = acts();
  const first = send("pause");
  expect(await send("pause")).toBe(false);
  await expect.poll(() => ends.length).toBe(1);
  // The button says something else by now: it is the same double click.
  expect(await send("resume")).toBe(false);
  ends[0]!();
  expect(await first).toBe(true);
  expect(sent).toEqual(["key 1"]);
  const next = send("pause");
  await expect.poll(() => ends.length).toBe(2);
  ends[1]!();
  await next;
  expect(sent).toEqual(["key 1", "key 2"]);
});

test("what leads to another page is pressed once, however long that takes to come", async () => {
  const { send, sent } = acts();
  expect(await send("branch", () => LEFT)).toBe(false);
  expect(await send("branch", () => LEFT)).toBe(false);
  expect(sent).toEqual(["key 1"]);
});

test("what may have arrived is sent again under its own key; something else has its own", async () => {
  const { send, sent } = acts();
  await expect(send(["say", "a"], fails(new TypeError("cut")))).rejects.toThrow("cut");
  await expect(send(["say", "a"], fails(refusal(503)))).rejects.toThrow("No.");
  await expect(send(["say", "b"], fails(new TypeError("cut")))).rejects.toThrow("cut");
  expect(sent).toEqual(["key 1", "key 1", "key 2"]);
});

test("what was refused for good is over: the next try is another command", async () => {
  const { send, sent } = acts();
  await expect(send("pause", fails(refusal(409)))).rejects.toThrow("No.");
  await expect(send("pause", fails(refusal(409)))).rejects.toThrow("No.");
  expect(sent).toEqual(["key 1", "key 2"]);
});
