import { expect, test } from "vitest";
import { desk } from "./support/desk.ts";

const at = desk();

const CHUNK = "**/assets/page-*.js";

test("a part that is gone for good: said calmly after one reload, and the page stays usable", async () => {
  const ada = await at.site.person(at.browser);
  const { page } = ada;
  await page.getByRole("heading", { level: 1 }).waitFor();
  let documents = 0;
  page.on("request", (request) => {
    if (request.isNavigationRequest()) documents += 1;
  });
  await page.route(CHUNK, (route) => route.fulfill({ status: 404, body: "" }));
  await page.getByRole("link", { name: "Sessions" }).first().click();
  await page.waitForEvent("load");
  await page.getByText("This part of the page could not be loaded.").waitFor();
  await page.getByRole("navigation", { name: "Main" }).waitFor();
  expect(documents).toBe(1);

  await page.unroute(CHUNK);
  await page.getByRole("button", { name: "Try again" }).click();
  await page.getByRole("heading", { name: "Sessions", level: 1 }).waitFor();
  await ada.context.close();
});

test("the server is away: the hint stays, and the part comes once it is back", async () => {
  const ada = await at.site.person(at.browser);
  const { page } = ada;
  await page.getByRole("heading", { level: 1 }).waitFor();
  await ada.context.setOffline(true);
  await page.getByRole("link", { name: "Sessions" }).first().click();
  await page.getByText("This part of the page could not be loaded.").waitFor();
  await ada.context.setOffline(false);
  await page.getByRole("heading", { name: "Sessions", level: 1 }).waitFor();
  await ada.context.close();
});
