import { expect, it } from "vitest";
import {
  SPEC,
  events,
  handClock,
  newSession,
  openLog,
  state,
  token,
  tokenCount,
} from "../ports/event-log.contract/support.ts";
import type { LogStore } from "../ports/log-store.ts";
import { openMemoryStore } from "../stores/memory/open.ts";

it("takes an append while the lease of its stream changes hands", async () => {
  const clock = handClock();
  const store = openMemoryStore({ clock });
  let meanwhile: (() => Promise<unknown>) | undefined;
  const slow: LogStore = {
    ...store,
    async loadRow(kind, id) {
      await meanwhile?.();
      return store.loadRow(kind, id);
    },
  };
  const id = newSession();
  events(await openLog(store, clock).append({ writes: [{ stream: id, events: [state(id)], create: SPEC }] }));
  const log = openLog(slow, clock, [tokenCount]);
  meanwhile = () => log.acquireLease(id, "somebody", 1_000);
  expect((await log.append({ writes: [{ stream: id, events: [token("x")] }] })).ok).toBe(true);
});
