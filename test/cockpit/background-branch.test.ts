import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { SYSTEM_ACTOR } from "../../packages/runtime/src/domain/actor.ts";
import { background, reached } from "./support/background.ts";
import { desk } from "./support/desk.ts";
import { openMore } from "./support/menu.ts";

const write = (content: string, path = "notes.md") => [{ call: "write_file", with: { path, content } }];
const SCRIPT = {
  rules: [
    {
      when: "in blue",
      rounds: [
        write("blue\n"),
        write("dark\nblue\n", "shade.md"),
        write("blue\n", "../out.md"),
        [{ say: "It is blue." }],
      ],
    },
    { when: "in red", rounds: [[{ say: "I begin." }, ...write("red\n")], [{ say: "It is red." }]] },
    { do: [{ say: "As before." }] },
  ],
};

const at = desk(SCRIPT);

async function red(title: string): Promise<string> {
  return background(at.site, {
    task: "write it in red",
    title,
    permission_mode: "accept_edits",
    until: "completed",
  });
}

async function state(session: string) {
  return (await at.site.runtime.services.sessions.get(SYSTEM_ACTOR, session)).state;
}

test("branched at an event of background work and told otherwise, it works by itself, and both are compared", async () => {
  const session = await red("In colours");
  const page = await at.ada.open(`/s/${session}`);
  await page.getByText("It is red.").first().waitFor();
  await page
    .locator('[data-kind="text"]', { hasText: "I begin." })
    .getByRole("button", { name: /Branch here/ })
    .click();
  await page.getByLabel(/What should it do from here/).fill("write it in blue");
  await page.getByRole("button", { name: "Branch", exact: true }).click();
  await page.waitForURL((url) => url.pathname.startsWith("/s/") && !url.pathname.endsWith(session));
  const branch = new URL(page.url()).pathname.split("/").at(-1)!;
  await page.getByText("Branched from here").waitFor();
  await page.getByText("It is blue.").first().waitFor();
  await reached(at.site, branch, "completed");
  expect(await state(branch)).toMatchObject({ kind: "background", parent_session_id: session });
  expect(await page.getByText("It is red.").count()).toBe(0);
  // What was refused is no file that changed.
  const changed = page.locator(".panel", { hasText: "Files changed" });
  expect(await changed.locator("li code").allInnerTexts()).toEqual(["shade.md", "notes.md"]);
  await changed.getByText("shade.md").click();
  await changed.locator("pre", { hasText: "dark" }).waitFor();

  // As if there were more than the server keeps.
  await page.route(`**/compare/**`, async (route) => {
    const response = await route.fetch();
    const reply = (await response.json()) as { files: object };
    await route.fulfill({ response, json: { ...reply, files: { ...reply.files, truncated: true } } });
  });
  await openMore(page);
  await page.getByRole("link", { name: "Compare with parent" }).click();
  await page.getByText(/They share everything up to event/).waitFor();
  await page.getByText("write it in blue").first().waitFor();
  await page.getByText("completed: It is blue.").waitFor();
  await page.getByText("completed: It is red.").waitFor();
  await page.getByText("the changes were cut off").waitFor();
  // Each file by its name, with its own counts.
  expect(await page.locator(".diff figcaption .mono").allInnerTexts()).toEqual(["notes.md", "shade.md"]);
  expect(await page.locator(".diff figcaption .num").allInnerTexts()).toEqual(["+1 −1", "+0 −2"]);
  const diff = page.locator(".diff").first();
  await diff.getByText("red").first().waitFor();
  await diff.getByText("blue").first().waitFor();
});

test("a place to go on from leads to background work of its own, too", async () => {
  const session = await red("From a place");
  const page = await at.ada.open(`/s/${session}`);
  const panel = page.locator(".panel", { hasText: "Branch from" });
  await panel.locator(".fold-head").first().click();
  await panel.getByRole("button", { name: "Branch", exact: true }).first().click();
  await page.waitForURL((url) => url.pathname.startsWith("/s/") && !url.pathname.endsWith(session));
  const branch = new URL(page.url()).pathname.split("/").at(-1)!;
  expect(await state(branch)).toMatchObject({ kind: "background", parent_session_id: session });
  await reached(at.site, branch, "completed");
});

test("a branch whose answer is lost is made once, however often it is tried", async () => {
  const session = await red("Cut off");
  const page = await at.ada.open(`/s/${session}`);
  await page.getByText("It is red.").first().waitFor();
  const answers: string[] = [];
  await page.route("**/resume", async (route) => {
    const answer = await route.fetch();
    answers.push(((await answer.json()) as { session_id: string }).session_id);
    if (answers.length === 1) await route.abort();
    else await route.fulfill({ response: answer });
  });
  await page
    .locator('[data-kind="end"]')
    .getByRole("button", { name: /Branch here/ })
    .click();
  await page.getByRole("button", { name: "Branch", exact: true }).click();
  await page.getByText("The server does not answer.").waitFor();
  await page.getByRole("button", { name: "Branch", exact: true }).click();
  await page.waitForURL((url) => url.pathname.startsWith("/s/") && !url.pathname.endsWith(session));
  await page.unroute("**/resume");
  expect(answers).toHaveLength(2);
  expect(new Set(answers).size).toBe(1);
  await reached(at.site, answers[0]!, "completed");
});

test("every row of background work can be branched from, also a checkpoint in the debug tier", async () => {
  const session = await red("Anywhere");
  const page = await at.ada.open(`/s/${session}`);
  await page.getByText("It is red.").first().waitFor();
  await page.getByRole("button", { name: /Debug/ }).click();
  const rows = page.locator(".timeline-row");
  await page.locator('[data-kind="raw"]').first().waitFor();
  const shown = await rows.count();
  expect(await rows.getByRole("button", { name: /Branch here/ }).count()).toBe(shown);
  await page
    .locator('[data-kind="raw"]')
    .last()
    .getByRole("button", { name: /Branch here/ })
    .click();
  await page.getByRole("button", { name: "Branch", exact: true }).click();
  await page.waitForURL((url) => url.pathname.startsWith("/s/") && !url.pathname.endsWith(session));
  const branch = new URL(page.url()).pathname.split("/").at(-1)!;
  await reached(at.site, branch, "completed");
  // What the parent did stays with the parent's files.
  expect(() => readFileSync(join(at.site.workspace, "notes.md"))).toThrow("ENOENT");
});
