import { ServerError } from "@fairlead/client";
import { expect, test } from "vitest";
import { patiently } from "../src/lib/patiently.ts";

const refusal = (status: number) =>
  new ServerError(status, { code: "internal_error", message: "No.", hint: "", details: {} } as never);
const now = async (): Promise<void> => {};

test("asked again until there is an answer", async () => {
  const answers = [new TypeError("no network"), refusal(503), refusal(429)];
  let waits = 0;
  const found = await patiently(
    async () => {
      const error = answers.shift();
      if (error !== undefined) throw error;
      return "there";
    },
    new AbortController().signal,
    () => waits++,
    now,
  );
  expect([found, waits]).toEqual(["there", 3]);
});

test("an answer that stays is given at once", async () => {
  let asked = 0;
  const work = async (): Promise<never> => {
    asked += 1;
    throw refusal(404);
  };
  await expect(patiently(work, new AbortController().signal, () => {}, now)).rejects.toThrow("No.");
  expect(asked).toBe(1);
});

test("nobody who wants it: not asked again", async () => {
  const gone = new AbortController();
  let asked = 0;
  const work = async (): Promise<never> => {
    asked += 1;
    throw new TypeError("no network");
  };
  const waiting = patiently(work, gone.signal, () => gone.abort(), now);
  await expect(waiting).rejects.toThrow("no network");
  expect(asked).toBe(1);
});
