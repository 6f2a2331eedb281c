import { expect, test } from "vitest";
import { longSession } from "../../bench/cockpit/history.ts";
import { desk } from "./support/desk.ts";

const EVENTS = 9_000;

const at = desk();

test("a long session opens at its end, reaches its beginning and comes back, with few rows in the page", async () => {
  const session = await longSession(at.site, EVENTS);
  const ada = await at.site.person(at.browser);
  const page = await ada.open(`/s/${session}`);
  await page.locator('[data-kind="end"]').last().waitFor();
  const timeline = page.getByRole("region", { name: "Timeline" });
  const rows = page.locator(".timeline-row");
  const last = await rows.last().getAttribute("data-seq");
  expect(Number(last)).toBeGreaterThan(EVENTS - 100);
  expect(await rows.count()).toBeLessThan(60);

  const first = page.getByText("Request 1", { exact: true });
  for (let round = 0; round < 200 && (await first.count()) === 0; round++)
    await timeline.evaluate(
      (element) =>
        new Promise((resolve) => {
          element.scrollTo(0, 0);
          requestAnimationFrame(() => requestAnimationFrame(resolve));
        }),
    );
  await first.waitFor();
  expect(await rows.count()).toBeLessThan(60);

  await at.site.append(session, [{ type: "agent.reflection", data: { text: "Said while nobody looked." } }]);
  await page.getByRole("button", { name: "To the end" }).click();
  await page.getByText("Said while nobody looked.").first().waitFor();
  await at.site.append(session, [{ type: "agent.reflection", data: { text: "Live again." } }]);
  await page.getByText("Live again.").first().waitFor();
  expect(ada.complaints).toEqual([]);
  await ada.context.close();
});

test("a link to an event leads to it, wherever it is", async () => {
  const session = await longSession(at.site, 3_000);
  const ada = await at.site.person(at.browser);
  const page = await ada.open(`/s/${session}?seq=1002`);
  const row = page.locator(".timeline-row.focus, [data-seq='1002']").first();
  await row.waitFor();
  expect(Number(await row.getAttribute("data-seq"))).toBe(1002);
  await ada.context.close();
});
