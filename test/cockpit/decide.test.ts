import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { SYSTEM_ACTOR } from "../../packages/runtime/src/domain/actor.ts";
import { desk } from "./support/desk.ts";
import { until } from "./support/until.ts";

/** A request is the name of the file that it writes. */
const SCRIPT = {
  rules: [
    {
      when: "write",
      rounds: [
        [{ call: "write_file", with: { path: "{{prompt}}.txt", content: "as asked" } }],
        [{ say: "Done." }],
      ],
    },
    { do: [{ say: "Done." }] },
  ],
};

const at = desk(SCRIPT);

let asked = 0;
/** A session that waits for a person to decide on a file. */
async function question(): Promise<{ id: string; session: string; file: string }> {
  asked += 1;
  const session = await at.site.session(`Question ${asked}`);
  await at.site.runtime.services.turns.start(SYSTEM_ACTOR, session, { input: `write${asked}` });
  return until(async () => {
    const { rows } = await at.site.runtime.services.questions.list(SYSTEM_ACTOR, {
      state: "pending",
      session_id: session,
    });
    return rows[0] && { id: rows[0].request_id, session, file: `write${asked}.txt` };
  });
}

const written = (file: string): string => readFileSync(join(at.site.workspace, file), "utf8");
const card = (page: Page) => page.getByRole("region", { name: "write_file asks for a decision" });
const stateOf = async (id: string): Promise<string> =>
  (await at.site.runtime.services.questions.get(SYSTEM_ACTOR, id)).state;

test("a deep link at the width of a phone: approved with a thumb", async () => {
  const { id, session, file } = await question();
  const phone = await at.site.person(at.browser, { name: "pia", phone: true });
  const page = await phone.open(`/a/${id}`);
  const approve = page.getByRole("button", { name: "Approve" });
  await approve.waitFor();
  const box = await approve.boundingBox();
  expect(box?.height).toBeGreaterThanOrEqual(44);
  const wide = await page.evaluate(() => document.documentElement.scrollWidth > innerWidth);
  expect(wide).toBe(false);
  await approve.tap();
  await page.getByText("Your decision is in the log.").waitFor();
  await at.site.idle(session);
  expect(written(file)).toBe("as asked");
  expect(phone.complaints).toEqual([]);
  await phone.context.close();
});

test("edited: the call runs with what the person wrote, and broken JSON decides nothing", async () => {
  const { id, session, file } = await question();
  const ada = await at.site.person(at.browser);
  const page = await ada.open(`/a/${id}`);
  await page.getByRole("button", { name: "Edit" }).click();
  const field = page.getByRole("textbox", { name: /Arguments, as JSON/ });
  await field.fill("{ not json");
  await page.getByRole("button", { name: "Approve as edited" }).click();
  await page.getByText("The arguments are no JSON object.").waitFor();
  expect(await stateOf(id)).toBe("pending");
  await field.fill(JSON.stringify({ path: file, content: "as edited" }));
  await page.getByRole("button", { name: "Approve as edited" }).click();
  await page.getByText("Approved with changes").waitFor();
  await at.site.idle(session);
  expect(written(file)).toBe("as edited");
  await ada.context.close();
});

test("a held key decides nothing, and `a` says no yes while a no is written", async () => {
  const { id } = await question();
  const ada = await at.site.person(at.browser, { name: "kay" });
  const page = await ada.open(`/a/${id}`);
  await card(page).waitFor();
  const press = (key: string, repeat: boolean) =>
    page.evaluate((init) => dispatchEvent(new KeyboardEvent("keydown", { ...init, bubbles: true })), {
      key,
      repeat,
    });
  await press("a", true);
  await press("d", false);
  await press("d", true);
  const note = page.getByRole("textbox", { name: /Why not/ });
  await note.waitFor();
  await press("a", false);
  await note.fill("still asked");
  expect(await stateOf(id)).toBe("pending");
  await page.getByRole("button", { name: "Deny" }).click();
  await page.getByText("Your decision is in the log.").waitFor();
  expect(await stateOf(id)).toBe("denied");
  await ada.context.close();
});

test("keyboard only, from the inbox: found, denied with a reason, gone", async () => {
  const { id, session, file } = await question();
  const ada = await at.site.person(at.browser, { name: "kim" });
  const page = await ada.open("/");
  await page.locator(`[data-key="${id}"]`).waitFor();
  for (let moves = 0; moves < 20; moves++) {
    await page.keyboard.press("j");
    if ((await page.locator(`[data-key="${id}"].chosen`).count()) === 1) break;
  }
  await page.keyboard.press("d");
  await page.getByRole("textbox", { name: /Why not/ }).waitFor();
  await page.keyboard.type("Not in this folder");
  await page.keyboard.press("Tab");
  await page.keyboard.press("Enter");
  await page.locator(`[data-key="${id}"]`).waitFor({ state: "detached" });
  await at.site.idle(session);
  const row = await at.site.runtime.services.questions.get(SYSTEM_ACTOR, id);
  expect(row).toMatchObject({ state: "denied", actor: "kim", note: "Not in this folder" });
  expect(() => written(file)).toThrow("ENOENT");
  await ada.context.close();
});

test("a decision in the inbox leaves the focus in the list: on its row, or on the next one", async () => {
  const [one, two] = [await question(), await question()];
  const eve = await at.site.person(at.browser, { name: "eve" });
  const { page } = eve;
  const row = (id: string) => page.locator(`[data-key="${id}"] a.inbox-link`);
  const focused = (id: string) => row(id).evaluate((link) => link === document.activeElement);
  await row(one.id).focus();
  await page.keyboard.press("a");
  await page.getByRole("button", { name: "Back" }).click();
  expect(await focused(one.id)).toBe(true);
  await page.keyboard.press("d");
  await page.getByRole("textbox").waitFor();
  await page.keyboard.press("Escape");
  await card(page).waitFor({ state: "detached" });
  expect(await focused(one.id)).toBe(true);
  await page.keyboard.press("a");
  await card(page).getByRole("button", { name: "Approve" }).click();
  await row(one.id).waitFor({ state: "detached" });
  expect(await focused(two.id)).toBe(true);
  await at.site.runtime.services.questions.decide(SYSTEM_ACTOR, two.id, { decision: "denied" });
  await eve.context.close();
});

test("two people decide the same: the first counts, the second sees what was decided and by whom", async () => {
  const { id, session } = await question();
  const ada = await at.site.person(at.browser, { name: "ada" });
  const bob = await at.site.person(at.browser, { name: "bob" });
  const [first, second] = await Promise.all([ada.open(`/a/${id}`), bob.open(`/a/${id}`)]);
  await Promise.all([card(first).waitFor(), card(second).waitFor()]);
  await Promise.all([
    first.getByRole("button", { name: "Approve" }).click(),
    second.getByRole("button", { name: "Approve" }).click(),
  ]);
  const { actor } = await (async () => {
    await at.site.idle(session);
    return at.site.runtime.services.questions.get(SYSTEM_ACTOR, id);
  })();
  for (const page of [first, second]) await page.getByText(`by ${actor ?? ""}`).waitFor();
  const { events } = await at.site.runtime.log.read(session as never, {
    types: ["runtime.question.decided"],
  });
  expect(events).toHaveLength(1);
  await ada.context.close();
  await bob.context.close();
});

test("two tabs of one person: decided in one, it is decided in the other", async () => {
  const { id } = await question();
  const ada = await at.site.person(at.browser, { name: "tab" });
  const page = await ada.open(`/a/${id}`);
  const other = await ada.context.newPage();
  await other.goto(`${at.site.url}/a/${id}`);
  await Promise.all([card(page).waitFor(), card(other).waitFor()]);
  await other.getByRole("button", { name: "Approve" }).click();
  await page.getByText("This was decided already.").waitFor();
  expect(await page.getByRole("button", { name: "Approve" }).count()).toBe(0);
  await ada.context.close();
});

test("a yes for the session is kept as it was edited, and listed until it is revoked", async () => {
  const { id, session } = await question();
  const ada = await at.site.person(at.browser, { name: "ada" });
  const page = await ada.open(`/a/${id}`);
  await page.getByLabel("Allow for").selectOption("session");
  await page.getByRole("textbox", { name: /What is allowed/ }).fill("write_file: *.txt");
  await page.getByRole("button", { name: "Approve" }).click();
  await page.getByText("Your decision is in the log.").waitFor();
  await at.site.idle(session);
  await page.getByRole("link", { name: "Approvals" }).click();
  await page.getByText("write_file: *.txt", { exact: true }).waitFor();
  await page.getByRole("button", { name: "Revoke" }).click();
  await page.getByText("Nothing is. When you approve").waitFor();
  await page.getByText("Those that no longer count").click();
  await page.getByText("write_file: *.txt", { exact: true }).waitFor();
  await ada.context.close();
});

test("a viewer looks, and is given nothing to decide with", async () => {
  const { id } = await question();
  const eve = await at.site.person(at.browser, { name: "eve", role: "viewer" });
  const page = await eve.open(`/a/${id}`);
  await page.getByText("Your role may look, and not decide.").waitFor();
  expect(await page.getByRole("button", { name: "Approve" }).count()).toBe(0);
  await eve.context.close();
});

test("a question that is not there is said, with its code", async () => {
  const ada = await at.site.person(at.browser);
  const page = await ada.open("/a/apr_01m7h56ky091q422y20000hm47");
  await page.getByText("question_not_found").waitFor();
  await ada.context.close();
});

test("what happened after a crash is answered by one of the choices there are", async () => {
  const session = (await at.site.session("Recovery")) as never;
  const { request_id } = await at.site.runtime.services.questions.ask(session, {
    kind: "user_input",
    tool_name: "shell",
    reason: "The process was lost while this ran.",
    shown: {
      tool: "shell",
      arguments: { command: "make release" },
      options: [
        { outcome: "happened", label: "It happened" },
        { outcome: "run_again", label: "Run it again" },
      ],
    },
  });
  const ada = await at.site.person(at.browser);
  const page = await ada.open(`/a/${request_id}`);
  await page.getByRole("button", { name: "It happened" }).click();
  await page.getByText("Your decision is in the log.").waitFor();
  const { events } = await at.site.runtime.log.read(session, { types: ["runtime.question.decided"] });
  expect(events[0]?.data).toMatchObject({ decision: "approved", answer: { outcome: "happened" } });
  await ada.context.close();
});

test("decided elsewhere, an open row of the inbox stays in its place and says by whom until it is dismissed", async () => {
  const [one, two] = [await question(), await question()];
  const bob = await at.site.person(at.browser, { name: "bob" });
  const { page } = bob;
  const row = page.locator(`[data-key="${one.id}"]`);
  await row.getByRole("button", { name: "Approve…" }).click();
  await card(page).getByRole("button", { name: "Approve" }).waitFor();
  const top = (await page.locator(`[data-key="${one.id}"]`).boundingBox())!.y;
  await at.site.runtime.services.questions.decide(SYSTEM_ACTOR, one.id, { decision: "denied" });
  await row.getByText("Denied by fairlead just now.").waitFor();
  expect((await row.boundingBox())!.y).toBe(top);
  expect(await row.getByRole("button", { name: "Approve" }).count()).toBe(0);
  await row.getByRole("button", { name: "Dismiss" }).click();
  await row.waitFor({ state: "detached" });
  await at.site.runtime.services.questions.decide(SYSTEM_ACTOR, two.id, { decision: "denied" });
  await bob.context.close();
});

test("keys of an open row: e opens the editor, d turns to a no, Escape closes, Ctrl-Enter sends the no", async () => {
  const { id } = await question();
  const kay = await at.site.person(at.browser, { name: "kay" });
  const { page } = kay;
  const link = page.locator(`[data-key="${id}"] a.inbox-link`);
  await link.focus();
  await page.keyboard.press("e");
  await page.getByRole("textbox", { name: /Arguments, as JSON/ }).waitFor();
  await page.keyboard.press("Escape");
  await card(page).waitFor({ state: "detached" });
  await page.keyboard.press("a");
  await card(page).getByRole("button", { name: "Approve" }).waitFor();
  await link.focus();
  await page.keyboard.press("Escape");
  await card(page).waitFor({ state: "detached" });
  await page.keyboard.press("a");
  await card(page).getByRole("button", { name: "Approve" }).waitFor();
  await link.focus();
  await page.keyboard.press("d");
  await page.getByRole("textbox", { name: /Why not/ }).fill("Not now");
  await page.keyboard.press("Control+Enter");
  await link.waitFor({ state: "detached" });
  const row = await at.site.runtime.services.questions.get(SYSTEM_ACTOR, id);
  expect(row).toMatchObject({ state: "denied", actor: "kay", note: "Not now" });
  await kay.context.close();
});
