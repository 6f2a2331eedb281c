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

test("a long table that streams is formatted in parts under one head, and as one once it is whole", async () => {
  const session = await at.site.session("Table");
  const rows = Array.from({ length: 150 }, (_, i) => `| row${i} | a cell of it |\n`).join("");
  const table = `| first | second |\n|---|---|\n${rows}`;
  await at.site.append(session, [piece(table), piece("| last | one |\n")]);
  const page = await at.ada.open(`/s/${session}`);
  const answer = page.locator(".answer");
  await answer.getByText("last", { exact: true }).waitFor();
  expect(await answer.locator(".prose.continued table").count()).toBeGreaterThan(1);
  expect(await answer.locator("thead:visible").count()).toBe(1);
  expect(await answer.locator("tbody tr").count()).toBe(151);
  const whole: NewEvent = { type: "agent.output.completed", data: { text: "", step: 1, attempt: 1 } };
  await at.site.append(session, [whole]);
  await page.locator(".answer:not(.streaming)").waitFor();
  await answer.locator("tbody tr").nth(150).waitFor();
  expect(await answer.locator("table").count()).toBe(1);
});
