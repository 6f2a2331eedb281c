import { afterAll, beforeAll, expect, test } from "vitest";
import { createClient, type Fetch } from "../../../client/src/index.ts";
import { FACES } from "../../src/faces/index.ts";
import { SYSTEM_ACTOR } from "../../src/domain/actor.ts";
import { type Site, startSite } from "./support.ts";

let site: Site;
const asked: string[] = [];
beforeAll(async () => {
  site = await startSite();
});
afterAll(() => site.close());

function clientOf() {
  asked.length = 0;
  const fetch: Fetch = (url, init) => {
    asked.push(new URL(url).pathname);
    return globalThis.fetch(url, init);
  };
  return createClient({ url: site.url, token: site.tokens.admin, fetch });
}

test.each(["runtime", "frontend"] as const)(
  "following a plain turn on the %s face asks for no page",
  async (face) => {
    const session = await site.session();
    const client = clientOf();
    const following = (async () => {
      const seen: unknown[] = [];
      for await (const { frame } of client.eventStream({ session, face })) {
        seen.push(frame);
        if (seen.length > 1 && (frame as { payload?: { text?: string } }).payload?.text === "end 0") break;
        if ((frame as { event?: { text?: string } }).event?.text === "end 0") break;
      }
      return seen;
    })();
    await site.runtime.services.turns.start(SYSTEM_ACTOR, session, { input: "hello" });
    await site.idle(session);
    await site.write(session, 1, "end ");
    const seen = await following;
    const { events } = await site.runtime.log.read(session);
    const shown = events.map((event) => FACES[face](event)).filter((frame) => frame !== null);
    if (face === "runtime") expect(shown.length).toBeLessThan(events.length);
    expect(seen).toEqual(shown);
    expect(asked).toEqual([`/sessions/${session}/events/stream`]);
  },
);

test.each([true, false])("`latest` gives only what comes, one session: %s", async (one) => {
  const session = await site.session();
  await site.write(session, 5, "old ");
  const client = clientOf();
  const texts: unknown[] = [];
  let live: () => void = () => {};
  const begun = new Promise<void>((resolve) => (live = resolve));
  const following = (async () => {
    const options = { after: "latest", ...(one ? { session } : {}) } as const;
    for await (const { frame } of client.eventStream({
      ...options,
      onState: ({ state }) => state === "live" && live(),
    })) {
      texts.push((frame.payload as { text?: string }).text);
      if (texts.length === 2) return;
    }
  })();
  await begun;
  await site.write(session, 2, "new ");
  await following;
  expect(texts).toEqual(["new 0", "new 1"]);
  expect(asked).toHaveLength(1);
});
