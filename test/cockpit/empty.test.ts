import { expect, test } from "vitest";
import { desk } from "./support/desk.ts";

const at = desk();

test("a list without sessions says what it is for, and begins with one press", async () => {
  const page = await at.ada.open("/s");
  await page.getByRole("heading", { name: "No sessions yet" }).waitFor();
  await page.getByText("npm run fairlead -- harness").waitFor();
  await page.getByRole("button", { name: "Try the demo" }).click();
  await page.getByRole("region", { name: "write_file asks for a decision" }).waitFor();
});

test("who may only look is not offered to begin", async () => {
  const vera = await at.site.person(at.browser, { name: "vera", role: "viewer" });
  const page = await vera.open("/s?kind=supervised");
  await page.getByRole("heading", { name: "Nothing fits" }).waitFor();
  expect(await page.getByRole("button", { name: "Try the demo" }).count()).toBe(0);
  await vera.context.close();
});

test("an address that leads to no question says so, with ways to go on", async () => {
  for (const id of ["nonsense", "req_01m7hvxqvpykthm26300002zwz"]) {
    const page = await at.ada.open(`/a/${id}`);
    await page.getByRole("heading", { name: "This question is not here" }).waitFor();
    expect(await page.getByRole("button", { name: "Try again" }).count()).toBe(0);
    await page.getByRole("link", { name: "Back to the inbox" }).click();
    await page.getByRole("heading", { level: 1, name: "What needs you now" }).waitFor();
  }
});

test("so does an address that leads to no session", async () => {
  const page = await at.ada.open("/s/ses_none");
  await page.getByRole("heading", { name: "This session cannot be shown" }).waitFor();
  await page.getByRole("alert").getByText("There is no such session").waitFor();
  await page.getByRole("link", { name: "All sessions" }).click();
  await page.getByRole("heading", { level: 1, name: "Sessions" }).waitFor();
});

test("a list that takes its time says that it is being read", async () => {
  const { page } = at.ada;
  let answer = (): void => {};
  const asked = new Promise<void>((resolve) => (answer = resolve));
  const list = (url: URL): boolean => url.pathname === "/sessions";
  await page.route(list, async (route) => {
    await asked;
    await route.continue();
  });
  await at.ada.open("/s");
  await page.getByText("Reading the list").waitFor();
  answer();
  await page.locator(".session-item").first().waitFor();
  expect(await page.getByText("Reading the list").count()).toBe(0);
  await page.unroute(list);
});

test("what waits is found in the palette by what it is about", async () => {
  const page = await at.ada.open("/");
  await page.getByRole("heading", { level: 1, name: "What needs you now" }).waitFor();
  await page.keyboard.press("Control+k");
  await page.getByRole("combobox").fill("decide demo.md");
  await page.getByRole("option", { name: "Decide: write_file fairlead-demo.md" }).waitFor();
  await page.keyboard.press("Enter");
  await page.waitForURL("**/a/*");
});
