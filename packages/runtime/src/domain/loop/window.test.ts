import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Message } from "../../ports/model.ts";
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
