import type { Locator } from "playwright-core";
import { expect, test } from "vitest";
import { background } from "./support/background.ts";
import { desk } from "./support/desk.ts";

const SCRIPT = {
  rules: [
    { rounds: [[{ think: "First a look." }, { call: "list_files", with: {} }], [{ say: "All is well." }]] },
  ],
};

const at = desk(SCRIPT, { phone: true, dark: true });

/** The words of these, each with the number of lines that it stands on. */
const words = (elements: Locator): Promise<readonly (readonly [string, number])[]> =>
  elements.evaluateAll((all) =>
    all.flatMap((element) =>
      Array.from(element.childNodes, (node) => {
        const text = node.nodeType === Node.TEXT_NODE ? (node.textContent ?? "") : "";
        return Array.from(text.matchAll(/\S+/g), ({ 0: word, index }) => {
          const range = document.createRange();
          range.setStart(node, index);
          range.setEnd(node, index + word.length);
          return [word, range.getClientRects().length] as const;
        });
      }).flat(),
    ),
  );

test("every row of a phone can be branched from", async () => {
  const session = await background(at.site, { task: "go", title: "Rows", until: "completed" });
  const page = await at.ada.open(`/s/${session}`);
  await page.getByText("All is well.").first().waitFor();
  const rows = page.locator(".timeline-row");
  const buttons = rows.getByRole("button", { name: /Branch here/ });
  expect(await buttons.count()).toBe(await rows.count());
  for (const kind of ["text", "tool", "said"]) {
    const button = rows
      .locator(`.kind-${kind}`)
      .first()
      .getByRole("button", { name: /Branch here/ });
    await button.scrollIntoViewIfNeeded();
    const box = await button.boundingBox();
    expect([kind, box!.width >= 24, box!.height >= 24]).toEqual([kind, true, true]);
    expect(await button.evaluate((element) => getComputedStyle(element).opacity)).toBe("1");
  }
  await rows
    .locator(".kind-tool")
    .first()
    .getByRole("button", { name: /Branch here/ })
    .click();
  await page.getByRole("button", { name: "Branch", exact: true }).waitFor();
});

test("no name breaks inside a word, however narrow it is", async () => {
  const health = {
    max_total_tokens: 9e6,
    max_runtime_minutes: 900,
    max_failed_tool_calls: 9,
    max_loop_warnings: 9,
  };
  const session = await background(at.site, { task: "go", policy: { health }, until: "completed" });
  const page = await at.ada.open(`/s/${session}`);
  const screen = page.viewportSize()!;
  await page.getByRole("progressbar", { name: "Runtime" }).waitFor();
  for (const width of [screen.width, 320]) {
    await page.setViewportSize({ width, height: screen.height });
    for (const part of [".meter .row > .grow", ".nav-link:visible", ".thinking .unbroken", ".chip"]) {
      const found = await words(page.locator(part));
      expect([part, found.length > 0]).toEqual([part, true]);
      expect(found.filter(([, lines]) => lines > 1)).toEqual([]);
    }
    expect(await page.evaluate(() => document.documentElement.scrollWidth > innerWidth)).toBe(false);
  }
  await page.setViewportSize(screen);
});

test("what stands in an empty field can be read in both themes", async () => {
  const page = await at.ada.open("/new");
  for (const theme of ["dark", "light"]) {
    await page.evaluate((name) => (document.documentElement.dataset["theme"] = name), theme);
    const colours = await page.getByPlaceholder("From what you ask for").evaluate((field) => {
      const light = (colour: string): number => {
        const [r = 0, g = 0, b = 0] = (colour.match(/[\d.]+/g) ?? [])
          .map((part) => Number(part) / 255)
          .map((part) => (part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4));
        return 0.2126 * r + 0.7152 * g + 0.0722 * b;
      };
      return [getComputedStyle(field, "::placeholder").color, getComputedStyle(field).backgroundColor].map(
        light,
      );
    });
    const [low, high] = colours.toSorted((a, b) => a - b) as [number, number];
    expect([theme, (high + 0.05) / (low + 0.05) >= 4.5]).toEqual([theme, true]);
  }
});
