import { describe, expect, it } from "vitest";
import type { Message } from "../../ports/model.ts";
import { digest } from "./digest.ts";
import { ESTIMATE } from "./estimate.ts";
import { requestUnderWay } from "./request.ts";

const user = (text: string): Message => ({ role: "user", text });
const told = (text: string): Message => ({ role: "user", text, injected: true });
const answer: Message = { role: "assistant", text: "yes" };
const folded = (request: string) =>
  told(digest([user(request), answer], { request, tasks: [], decisions: [] }, 500, ESTIMATE));

describe("the request under way", () => {
  it("is what came in, wherever the model was told it", () => {
    expect(requestUnderWay([user("go"), answer, user("and this"), told("go on")], "go")).toBe("go");
    expect(requestUnderWay([folded("go"), answer, user("and this")], "go")).toBe("go");
  });

  it("is what stands in its place, once somebody changed it", () => {
    expect(requestUnderWay([user("before"), answer, user("changed"), told("note")], "secret")).toBe(
      "changed",
    );
    expect(requestUnderWay([folded("changed"), answer, told("note")], "secret")).toBe("changed");
    // That of an earlier turn is not meant.
    expect(requestUnderWay([folded("before"), answer, user("changed")], "secret")).toBe("changed");
    expect(requestUnderWay([answer], "secret")).toBeUndefined();
  });
});
