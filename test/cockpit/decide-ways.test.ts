import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { SYSTEM_ACTOR } from "../../packages/runtime/src/domain/actor.ts";
import { asked } from "./support/asked.ts";
import { desk } from "./support/desk.ts";
import type { Person } from "./support/site.ts";

const at = desk({
  rules: [
    {
      rounds: [
        [{ call: "write_file", with: { path: "{{prompt}}.txt", content: "as asked" } }],
        [{ say: "Done." }],
      ],
    },
  ],
});

const written = (file: string): string => readFileSync(join(at.site.workspace, file), "utf8");
const row = (request: string) => at.site.runtime.services.questions.get(SYSTEM_ACTOR, request);
const argumentsField = (page: Page) => page.getByRole("textbox", { name: /Arguments, as JSON/ });

async function byPhone(work: (phone: Person) => Promise<void>): Promise<void> {
  const phone = await at.site.person(at.browser, { name: "pia", phone: true });
  await work(phone);
  expect(phone.complaints).toEqual([]);
  await phone.context.close();
}

/** All of it can be reached with a thumb, without moving the page sideways. */
async function fits(page: Page): Promise<void> {
  const wide = await page.evaluate(() => document.documentElement.scrollWidth > innerWidth);
  expect(wide).toBe(false);
}

test("a deep link at the width of a phone: denied, with a reason", () =>
  byPhone(async (phone) => {
    const { session, request } = await asked(at.site, "Phone, no", "denied");
    const page = await phone.open(`/a/${request}`);
    await page.getByRole("button", { name: "Deny" }).tap();
    await page.getByRole("textbox", { name: /Why not/ }).fill("Not from the train");
    await fits(page);
    await page.getByRole("button", { name: "Deny" }).tap();
    await page.getByText("Your decision is in the log.").waitFor();
    await at.site.idle(session);
    expect(await row(request)).toMatchObject({ state: "denied", actor: "pia", note: "Not from the train" });
    expect(() => written("denied.txt")).toThrow("ENOENT");
  }));

test("a deep link at the width of a phone: edited, and what is no JSON decides nothing", () =>
  byPhone(async (phone) => {
    const { session, request } = await asked(at.site, "Phone, edit", "edited");
    const page = await phone.open(`/a/${request}`);
    await page.getByRole("button", { name: "Edit" }).tap();
    await fits(page);
    await argumentsField(page).fill("{ not json");
    await page.getByRole("button", { name: "Approve as edited" }).tap();
    await page.getByText("The arguments are no JSON object.").waitFor();
    expect((await row(request)).state).toBe("pending");
    await argumentsField(page).fill(JSON.stringify({ path: "edited.txt", content: "by thumb" }));
    await page.getByRole("button", { name: "Approve as edited" }).tap();
    await page.getByText("Approved with changes").waitFor();
    await at.site.idle(session);
    expect(written("edited.txt")).toBe("by thumb");
  }));

test("edited from the inbox, by keys alone", async () => {
  const { session, request } = await asked(at.site, "By keys", "keys");
  const page = await at.ada.open("/");
  const entry = page.locator(`[data-key="${request}"]`);
  await entry.waitFor();
  await page.keyboard.press("j");
  await page.locator(`[data-key="${request}"].chosen`).waitFor();
  await page.keyboard.press("e");
  await argumentsField(page).and(page.locator(":focus")).waitFor();
  await page.keyboard.press("ControlOrMeta+a");
  await page.keyboard.insertText(JSON.stringify({ path: "keys.txt", content: "by keys" }));
  await page.keyboard.press("Tab");
  await page.keyboard.press("Enter");
  await entry.waitFor({ state: "detached" });
  await at.site.idle(session);
  expect(await row(request)).toMatchObject({ state: "edited", actor: "ada" });
  expect(written("keys.txt")).toBe("by keys");
});

test("a reason that was written for a no is not said with a yes", async () => {
  const { session, request } = await asked(at.site, "Changed mind", "minded");
  const page = await at.ada.open(`/a/${request}`);
  await page.getByRole("button", { name: "Deny" }).click();
  await page.getByRole("textbox", { name: /Why not/ }).fill("Never do this");
  await page.getByRole("button", { name: "Back" }).click();
  await page.getByRole("button", { name: "Approve" }).click();
  await page.getByText("Your decision is in the log.").waitFor();
  await at.site.idle(session);
  expect(await row(request)).toMatchObject({ state: "approved", note: null });
  expect(written("minded.txt")).toBe("as asked");
});
