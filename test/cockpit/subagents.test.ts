import { expect, test } from "vitest";
import { SYSTEM_ACTOR } from "../../packages/runtime/src/domain/actor.ts";
import { desk } from "./support/desk.ts";

const SCRIPT = {
  rules: [
    {
      when: "at the bottom",
      rounds: [
        [{ call: "write_file", with: { path: "deep.md", content: "deep\n" } }],
        [{ say: "It is written." }],
      ],
    },
    {
      when: "in the middle",
      rounds: [[{ call: "delegate", with: { task: "Work at the bottom." } }], [{ say: "Below is done." }]],
    },
    {
      rounds: [
        [
          { call: "delegate", with: { task: "Work in the middle." } },
          { call: "delegate", with: { task: "Say hello aside." } },
        ],
        [{ say: "All is done." }],
      ],
      when: "from the top",
    },
    { do: [{ say: "Hello." }] },
  ],
};

const at = desk(SCRIPT);

test("a child of a child is in the tree, and what it asks is decided from the top", async () => {
  const session = await at.site.session("Delegating");
  const page = await at.ada.open(`/s/${session}`);
  await at.site.runtime.services.turns.start(SYSTEM_ACTOR, session, { input: "from the top" });

  const asked = page.getByRole("list", { name: "Asked by sub-agents" });
  await asked.getByText("subagent_1.1").waitFor();
  await asked.getByText("write_file").waitFor();
  const tree = page.locator(".agent-tree").first();
  const below = tree.locator(".agent-tree");
  await below.getByRole("link", { name: "Work at the bottom." }).waitFor();
  await below.getByText(/awaiting approval/).waitFor();
  await tree.getByText(/subagent_2 · completed · \d+ tokens/).waitFor();
  expect(await below.getByRole("link", { name: "Say hello aside." }).count()).toBe(0);

  await asked.getByRole("link", { name: "Decide" }).click();
  await page.getByRole("button", { name: "Approve" }).click();
  await page.getByText("Your decision is in the log.").waitFor();
  await at.site.idle(session);

  await at.ada.open(`/s/${session}`);
  await page.getByText("All is done.").first().waitFor();
  expect(await asked.count()).toBe(0);
  await below.getByText(/subagent_1\.1 · completed/).waitFor();
  await below.getByRole("link", { name: "Work at the bottom." }).click();
  await page.getByText("It is written.").first().waitFor();
});
