import type { NewEvent, SessionId } from "@fairlead/contract";
import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { desk } from "./support/desk.ts";

const at = desk();

const said = (count: number, word: string): NewEvent[] =>
  Array.from({ length: count }, (_, index) => ({
    type: "agent.reflection",
    data: { text: `${word} ${index + 1}.` },
  }));

const called: NewEvent = {
  type: "agent.tool.start",
  data: { name: "shell", tool_call_id: "c1", arguments: { command: "make", _tool_call_id: "c1" } },
};

/** A session with a tool that runs, and then a question. */
async function asked(title: string): Promise<{ session: SessionId; page: Page }> {
  const { site, ada } = at;
  const session = await site.session(title);
  await site.append(session, [
    { type: "runtime.request.started", data: { turn_id: "trn_1", input: "Go" } },
    called,
    { type: "agent.tool.batch", data: { wave: 1, tool_call_ids: ["c1"] } },
  ]);
  await site.runtime.services.questions.ask(session, {
    kind: "approval",
    tool_name: "write_file",
    reason: "It writes.",
    shown: { tool: "write_file", arguments: { path: "a.txt", content: "as asked" } },
  });
  const page = await ada.open(`/s/${session}`);
  await page.getByRole("button", { name: "Approve" }).waitFor();
  return { session, page };
}

/** Until the row is no longer in the page, and then until it is again. */
async function awayAndBack(page: Page, kind: string): Promise<void> {
  const row = page.locator(`.timeline-row[data-kind="${kind}"]`);
  const to = (top: number) =>
    page.getByRole("region", { name: "Timeline" }).evaluate((box, y) => box.scrollTo(0, y), top);
  await to(1e9);
  await row.waitFor({ state: "detached" });
  await to(0);
  await row.waitFor();
}

test("what is being edited stays, with its focus, while rows stream in, and is there again after it was scrolled away", async () => {
  const { session, page } = await asked("Edited");
  await page.getByRole("button", { name: "Edit" }).click();
  const field = page.getByRole("textbox", { name: /Arguments, as JSON/ });
  await field.fill('{ "path": "b.txt", "content": "half');
  await at.site.append(session, said(60, "Streamed"));
  await page.getByText("Streamed 60.").first().waitFor();
  expect(await page.getByText("Streamed 1.", { exact: true }).count()).toBe(0);
  await page.keyboard.type(" written");
  expect(await field.inputValue()).toBe('{ "path": "b.txt", "content": "half written');

  await page.getByRole("region", { name: "Timeline" }).focus();
  await awayAndBack(page, "question");
  expect(await field.inputValue()).toBe('{ "path": "b.txt", "content": "half written');
});

test("a reason for a no is there again, an opened tool stays open, and a running one says for how long", async () => {
  const { session, page } = await asked("Denied");
  const timer = page.getByRole("timer");
  await timer.waitFor();
  await page.evaluate(() => {
    const changed: string[] = [];
    Object.assign(globalThis, { changed });
    new MutationObserver((records) =>
      changed.push(
        ...records.flatMap(({ target }) =>
          target.parentElement?.getAttribute("role") === "timer" ? [] : [target.nodeName],
        ),
      ),
    ).observe(document.querySelector(".timeline-rows")!, {
      subtree: true,
      childList: true,
      attributes: true,
      characterData: true,
    });
  });
  const first = await timer.innerText();
  await page.waitForFunction((text) => document.querySelector("[role=timer]")?.textContent !== text, first);
  expect(await timer.innerText()).toMatch(/^\d+ s$/);
  expect(await page.evaluate(() => (globalThis as unknown as { changed: string[] }).changed)).toEqual([]);

  await page.locator(".tool .fold-head").click();
  await page.locator(".tool-inside").waitFor();
  await page.getByRole("button", { name: "Deny" }).click();
  await page.getByRole("textbox", { name: /Why not/ }).fill("Not on a Friday");
  await at.site.append(session, said(60, "Streamed"));
  await page.getByText("Streamed 60.").first().waitFor();
  await page.getByRole("region", { name: "Timeline" }).focus();
  await awayAndBack(page, "question");
  expect(await page.getByRole("textbox", { name: /Why not/ }).inputValue()).toBe("Not on a Friday");
  await page.locator(".tool-inside").waitFor();
});

test("an open form to branch stays open while rows stream in, and keeps what was said when it is closed", async () => {
  const { session, page } = await asked("Branched");
  const branch = page.locator('[data-kind="question"]').getByRole("button", { name: /Branch here/ });
  await branch.click();
  await page.getByText("Change how it works").click();
  const told = page.getByLabel("What it is told before anything else");
  await told.fill("Speak like");
  await at.site.append(session, said(60, "Streamed"));
  await page.getByText("Streamed 60.").first().waitFor();
  await page.keyboard.type(" a sailor.");
  expect(await told.inputValue()).toBe("Speak like a sailor.");
  await page.keyboard.press("Escape");
  await branch.click();
  await page.getByText("Change how it works").click();
  expect(await told.inputValue()).toBe("Speak like a sailor.");
});
