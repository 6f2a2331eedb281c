import { EVENT_TYPES, isBlocking } from "@fairlead/ahp";
import { describe, expect, test } from "vitest";
import type { Switches } from "../../src/domain/supervision/switches.ts";
import { SuperviseConfig } from "../../src/host/supervise-config.ts";

describe("what runs of our own are asked about, in the configuration", () => {
  test("every question can be named", () => {
    const all = Object.fromEntries(EVENT_TYPES.filter(isBlocking).map((type) => [type, true]));
    expect(SuperviseConfig.safeParse(all).success).toBe(true);
    const { pre_action: _, pre_prompt: __, ...on } = all;
    const switches: Switches = SuperviseConfig.parse(all);
    expect(switches).toEqual({ on, unsupervised: [] });
  });

  test("a gate is not opened by the way, and there is a word for it", () => {
    const refused = SuperviseConfig.safeParse({ pre_action: false });
    expect(refused.error?.issues[0]?.message).toContain("supervise.unsupervised");
    expect(SuperviseConfig.parse({ unsupervised: ["pre_prompt"], planning: false })).toEqual({
      on: { planning: false },
      unsupervised: ["pre_prompt"],
    });
  });

  test.each([
    { plannning: true },
    { planning: "yes" },
    { unsupervised: ["planning"] },
    { unsupervised: true },
  ])("%j is refused", (given) => {
    expect(SuperviseConfig.safeParse(given).success).toBe(false);
  });
});
