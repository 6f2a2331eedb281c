import { inProcess } from "@fairlead/ahp";
import { describe, expect, test } from "vitest";
import type { Supervisor } from "../../src/ports/supervisor.ts";
import { action, dataOf, type Stand, stand } from "./support.ts";

const local = (place: Stand, name = "bot") => inProcess(place.harness.server, place.harness.local(name));

function saying(answer: unknown, more: Partial<Supervisor> = {}): Supervisor {
  return {
    name: "guard",
    on: ["pre_action", "pre_prompt"],
    timeoutMs: 500,
    onFailure: "block",
    decide: () => Promise.resolve(answer),
    close: () => Promise.resolve(),
    ...more,
  };
}

describe("a change that does not say to what", () => {
  test.each([null, undefined])("is no answer: %s blocks, and the log says why", async (modified_payload) => {
    const place = await stand({ supervisors: [saying({ decision: "modify", modified_payload })] });
    const agent = await place.agent(local(place));
    expect(await agent.decide("pre_action", action("ls"))).toMatchObject({ decision: "block" });
    const answers = dataOf(await place.events("s1"), "runtime.supervision.answered");
    expect(answers[0]).toMatchObject({ supervisor: "guard", source: "invalid" });
  });
});
