import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Message } from "../../ports/model.ts";
import { DIGEST_MARK } from "../context/digest.ts";
import { windowOf } from "./window.ts";

const user = (text: string): Message => ({ role: "user", text });
const assistant: Message = { role: "assistant", text: "yes" };

describe("the window of a conversation", () => {
  it("is all of it while that is not too much", () => {
    const all = [user("1"), assistant];
    expect(windowOf(all, 2)).toBe(all);
    expect(windowOf([], 1)).toEqual([]);
  });

  it("begins where a person speaks, and is never longer than it may be where that is possible", () => {
    const all = [user("1"), assistant, user("2"), assistant, user("3"), assistant];
    expect(windowOf(all, 5)).toEqual(all.slice(2));
    expect(windowOf(all, 4)).toEqual(all.slice(2));
    expect(windowOf(all, 3)).toEqual(all.slice(4));
  });

  it("holds the last request, however long the answer to it has grown", () => {
    const all = [user("1"), assistant, user("2"), ...Array.from({ length: 9 }, () => assistant)];
    expect(windowOf(all, 3)).toEqual(all.slice(2));
  });

  it("keeps the digest and the request under way, whatever was said since", () => {
    const digest: Message = { role: "user", injected: true, text: `${DIGEST_MARK}\n- Asked: long ago` };
    const told: Message = { role: "user", injected: true, text: "look back" };
    const steps = Array.from({ length: 9 }, () => assistant);
    const all = [
      digest,
      user("1"),
      assistant,
      user("2"),
      ...steps,
      told,
      ...steps,
      user("and this"),
      assistant,
    ];
    expect(windowOf(all, 4, "2")).toEqual([digest, ...all.slice(3)]);
    expect(windowOf(all, 4, "and this")).toEqual([digest, user("and this"), assistant]);
    // The request is in the digest alone.
    expect(windowOf([digest, ...steps, told, ...steps], 12, "2")).toEqual([digest, told, ...steps]);
    // What a person wrote is no digest.
    expect(windowOf([user(DIGEST_MARK), assistant, user("2"), assistant], 2, "2")).toEqual([
      user("2"),
      assistant,
    ]);
  });

  it("is an end of the conversation that begins with a person's word, whenever a person has spoken", () => {
    const message = fc.constantFrom<Message>(user("x"), assistant);
    fc.assert(
      fc.property(fc.array(message, { maxLength: 30 }), fc.integer({ min: 1, max: 40 }), (all, most) => {
        const window = windowOf(all, most);
        expect(all.slice(all.length - window.length)).toEqual(window);
        if (window.length < all.length) expect(window[0]?.role).toBe("user");
        const last = all.findLastIndex(({ role }) => role === "user");
        if (last !== -1) expect(window.length).toBeGreaterThanOrEqual(all.length - last);
      }),
    );
  });
});
