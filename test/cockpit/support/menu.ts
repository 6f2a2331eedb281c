import type { Page } from "playwright-core";

/** Opens what is done with a session now and then. */
export async function openMore(page: Page): Promise<void> {
  await page.locator(".session-head").getByRole("button", { name: "More to do" }).click();
}
