import { expect, test } from "vitest";
import type { SessionId } from "@fairlead/contract";
import { desk } from "./support/desk.ts";
import { newerServer } from "./support/newer-server.ts";
import { signedIn } from "./support/site.ts";

const at = desk({ rules: [{ do: [{ think: "First I should look." }, { say: "Done." }] }] });

const decision = (outcome: string, reason: string) => ({
  type: "runtime.policy.decision" as const,
  data: { subject: "pre_action", outcome, reason, source: "rules", tool_name: "shell" },
});

test("thinking and reflection fold away and open again; allowed calls are no noise, a no is seen", async () => {
  const session = await at.site.session("Tiers");
  await at.site.append(session, [
    { type: "agent.thinking.delta", data: { text: "First I should look, and then decide." } },
    { type: "agent.output.completed", data: { text: "An answer.", step: 1, attempt: 1 } },
    { type: "agent.reflection", data: { text: "It went **well** in the end." } },
    decision("allow", "Nothing speaks against it."),
    decision("block", "Not on a Friday."),
    decision("modify", "The path was narrowed."),
  ]);
  const page = await at.ada.open(`/s/${session}`);
  await page.locator('[data-kind="notice"]', { hasText: "Blocked: shell" }).waitFor();
  await page.locator('[data-kind="notice"]', { hasText: "Changed: shell" }).waitFor();
  expect(await page.locator('[data-kind="notice"]', { hasText: "Nothing speaks" }).count()).toBe(0);
  const panel = page.locator(".panel", { hasText: "Policy decisions" });
  await panel.getByText("Not on a Friday.").waitFor();
  expect(await panel.getByText("Nothing speaks against it.").count()).toBe(0);
  await panel.getByText("1 that let it go on").click();
  await panel.getByText("Nothing speaks against it.").waitFor();

  for (const [kind, words] of [
    ["thinking", "First I should look, and then decide."],
    ["notice", "It went well in the end."],
  ] as const) {
    const row = page.locator(`[data-kind="${kind}"]`).filter({ has: page.locator(".thinking") });
    const inside = row.locator(".fold-body");
    expect(await inside.count()).toBe(0);
    await row.locator(".fold-head").first().focus();
    await page.keyboard.press("Enter");
    await inside.getByText(words).first().waitFor();
    await page.keyboard.press("Enter");
    await inside.first().waitFor({ state: "detached" });
  }
});

test("an event of a newer writer is shown raw in the debug tier, from a page and from the stream, and harms nothing", async () => {
  const session = await at.site.session("Newer");
  await at.site.append(session, [checkpoint(session, 1, "was there before")]);
  const newer = await newerServer(at.site.url, "session_checkpoint", "quantum_flux");
  try {
    const link = at.site.link("ada").replace(at.site.url, newer.url);
    const person = await signedIn(at.browser, newer.url, link, { phone: false, dark: false });
    const page = await person.open(`/s/${session}`);
    await page.getByRole("button", { name: /Debug/ }).click();
    const raw = page.locator('[data-kind="raw"]', { hasText: "quantum_flux" });
    await raw.first().waitFor();
    await at.site.append(session, [
      checkpoint(session, 2, "<b>came</b> over the wire"),
      { type: "agent.output.completed", data: { text: "Still here.", step: 1, attempt: 1 } },
    ]);
    await page.getByText("Still here.").waitFor();
    expect(await raw.count()).toBe(2);
    await raw.last().locator(".fold-head").first().click();
    expect(await raw.last().locator("pre").innerText()).toContain('"<b>came</b> over the wire"');
    await page.getByRole("button", { name: /Debug/ }).click();
    await raw.first().waitFor({ state: "detached" });
    await page.getByText("Still here.").waitFor();
    expect(person.complaints).toEqual([]);
    await person.context.close();
  } finally {
    await newer.close();
  }
});

function checkpoint(session_id: SessionId, sequence: number, summary_text: string) {
  return {
    type: "runtime.session.checkpoint" as const,
    data: {
      session_id,
      sequence,
      checkpoint_type: "step",
      status: "completed",
      summary_text,
      resume_cursor: null,
    },
  };
}
