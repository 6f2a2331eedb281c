import { expect, test } from "vitest";
import type { NewEvent } from "@fairlead/contract";
import { desk } from "./support/desk.ts";

const at = desk();

const piece = (text: string): NewEvent => ({
  type: "agent.output.delta",
  data: { text, step: 1, attempt: 1 },
});
/** What a piece of text must leave as it is. */
const AROUND = [".session-head", ".panels", ".composer", "nav", ".timeline-row:not(:last-child)"];

test("a text that streams in changes its own row, and nothing else of the page", async () => {
  const session = await at.site.session("Streaming");
  await at.site.append(session, [
    { type: "runtime.request.started", data: { turn_id: "trn_1", input: "Tell me" } },
    { type: "agent.reflection", data: { text: "Before." } },
    piece("It begins"),
  ]);
  const ada = await at.site.person(at.browser);
  const page = await ada.open(`/s/${session}`);
  await page.getByText("It begins").waitFor();
  // What turns text into markup has come.
  await page.locator(".answer .prose").waitFor();
  await page.locator(".panels").getByText("Health").first().waitFor();
  await page.evaluate((around) => {
    const changed: string[] = [];
    Object.assign(globalThis, { changed });
    for (const selector of around)
      for (const element of document.querySelectorAll(selector))
        new MutationObserver((records) =>
          changed.push(...records.map(({ type, target }) => `${selector}: ${type} of ${target.nodeName}`)),
        ).observe(element, { subtree: true, childList: true, attributes: true, characterData: true });
  }, AROUND);
  for (let number = 0; number < 40; number++) await at.site.append(session, [piece(` word${number}`)]);
  await page.getByText("word39").waitFor();
  expect(await page.evaluate(() => (globalThis as unknown as { changed: string[] }).changed)).toEqual([]);
  expect(ada.complaints).toEqual([]);
});
