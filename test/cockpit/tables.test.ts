import { expect, test } from "vitest";
import { desk } from "./support/desk.ts";

const TABLE = [
  "- one\n  - below\n",
  "\n- [x] done\n",
  "\n| Name | Value | A long description |\n|---|---:|---|\n",
  `| row | 1000000 | ${"unbroken".repeat(12)} |\n`,
].join("");
const at = desk();

test("a table keeps words, numbers and alignment whole, and is scrolled where it is too wide", async () => {
  const session = await at.site.session("Tables");
  await at.site.append(session, [
    { type: "agent.output.completed", data: { text: TABLE, step: 1, attempt: 1 } },
  ]);
  const phone = await at.site.person(at.browser, { phone: true });
  for (const person of [at.ada, phone]) {
    const page = await person.open(`/s/${session}`);
    const number = page.getByRole("cell", { name: "1000000" });
    await number.waitFor();
    const cell = await number.evaluate((element) => {
      const range = document.createRange();
      range.selectNodeContents(element);
      return { align: getComputedStyle(element).textAlign, lines: range.getClientRects().length };
    });
    expect(cell).toEqual({ align: expect.stringMatching(/right$/), lines: 1 });
    const head = page.getByRole("columnheader", { name: "Name" });
    expect(await head.evaluate((element) => getComputedStyle(element).textAlign)).toBe("left");
    expect(await page.evaluate(() => document.documentElement.scrollWidth > innerWidth)).toBe(false);
  }
  const wide = await phone.page
    .locator(".prose table")
    .evaluate(({ scrollWidth, clientWidth }) => scrollWidth > clientWidth);
  expect(wide).toBe(true);
  const bullets = await phone.page
    .locator(".prose li")
    .evaluateAll((items) => items.map((item) => getComputedStyle(item).listStyleType));
  expect(bullets).toEqual(["disc", "circle", "none"]);
  expect(phone.complaints).toEqual([]);
  await phone.context.close();
});
