import type { SessionId } from "@fairlead/contract";
import { afterAll, beforeAll, expect, test } from "vitest";
import { SYSTEM_ACTOR } from "../../src/domain/actor.ts";
import type { Positioned } from "../../src/ports/event-log.ts";
import { createVisibility } from "../../src/services/visibility.ts";
import { type Site, startSite } from "./support.ts";

let site: Site;
let all: readonly Positioned[];
beforeAll(async () => {
  site = await startSite();
  const made: SessionId[] = [];
  for (let i = 0; i < 8; i++) made.push(await site.session("operator", i % 2 === 0 ? "red" : "blue"));
  const { events } = await site.runtime.log.readAll({ limit: 1000 });
  all = events.filter(({ event }) => made.includes(event.stream as SessionId));
});
afterAll(() => site.close());

test("more streams than are remembered, and readers that push each other's out: nothing is skipped", async () => {
  const visibility = createVisibility(site.runtime.log, 2);
  const red = { ...SYSTEM_ACTOR, role: "viewer", project: "red" } as const;
  for (let round = 0; round < 3; round++) {
    const [some, rest, everything, reds] = await Promise.all([
      visibility.of(SYSTEM_ACTOR, all.slice(0, 4)),
      visibility.of(SYSTEM_ACTOR, all.slice(4)),
      visibility.of(SYSTEM_ACTOR, all),
      visibility.of(red, all),
    ]);
    expect([...some, ...rest]).toEqual(all.map((item) => ({ ...item, visible: true })));
    expect(everything).toEqual([...some, ...rest]);
    expect(reds.map(({ visible }) => visible)).toEqual(all.map((_, i) => i % 2 === 0));
  }
});
