import { afterAll, beforeAll, expect, test } from "vitest";
import { errorOf, openSse, type Site, startSite } from "./support.ts";

let site: Site;
beforeAll(async () => {
  site = await startSite();
});
afterAll(() => site.close());

test("the feed of all sessions can be narrowed to some events, and its cursor passes over the others", async () => {
  const stream = await openSse(site, "/events/stream?after=latest&types=session_state,turn_end");
  const session = await site.session();
  await site.write(session, 20);
  await site.call(`/chat/sessions/${session}/turns`, { method: "POST", body: { input: "Hello" } });
  await stream.until((frames) => frames.some(({ data }) => data?.includes('"turn_end"') === true));
  const types = stream.frames.flatMap(({ data }) =>
    data === null ? [] : [(JSON.parse(data) as { type: string }).type],
  );
  expect(new Set(types)).toEqual(new Set(["session_state", "turn_end"]));
  stream.close();
});

test("a name that is no event is refused", async () => {
  const refused = await errorOf(await site.call("/events/stream?types=session_state,nonsense"));
  expect(refused).toMatchObject({ code: "bad_request" });
});
