import type { NewEvent, SessionId } from "@fairlead/contract";
import { expect, test } from "vitest";
import { desk } from "./support/desk.ts";

const at = desk();

function called(id: string, name: string, args: object): NewEvent[] {
  return [
    { type: "agent.tool.start", data: { name, tool_call_id: id, arguments: { ...args, _tool_call_id: id } } },
    {
      type: "agent.tool.outcome",
      data: { tool_call_id: id, tool_name: name, outcome_type: "x", status: "ok", elapsed_ms: 1 },
    },
  ];
}

const wrote = (path: string): NewEvent[] => called(path, "write_file", { path, content: "x" });

async function append(session: SessionId, events: readonly NewEvent[]): Promise<void> {
  for (let from = 0; from < events.length; from += 500)
    await at.site.append(session, events.slice(from, from + 500));
}

test("what a long session did at its beginning is beside its end, and all calls are counted", async () => {
  const session = await at.site.session("Long");
  const tasks = [{ id: "1", title: "Read the notes", status: "in_progress" }];
  const lost: NewEvent = {
    type: "runtime.effect.verdict",
    data: { tool_call_id: "x", tool_name: "shell", effect: "once", verdict: "ask", reason: "lost" },
  };
  const used: NewEvent = {
    type: "agent.usage",
    data: { input_tokens: 10, output_tokens: 1, total_tokens: 11 },
  };
  await append(session, [
    ...wrote("first.txt"),
    ...called("t", "update_tasks", { tasks }),
    lost,
    ...Array.from({ length: 1_200 }, () => used),
  ]);
  const page = await at.ada.open(`/s/${session}`);
  const panels = page.getByRole("complementary", { name: "Details" });
  await panels.getByRole("button", { name: "Files changed 1" }).waitFor();
  await panels.getByRole("button", { name: "Tasks 0 of 1" }).waitFor();
  await panels.getByRole("button", { name: "Recovery verdicts 1" }).waitFor();
  await panels.getByText("1200", { exact: true }).waitFor();
  await panels.getByText("12.0 k tokens", { exact: true }).waitFor();
  // One more that comes while it is open is one more.
  await at.site.append(session, [used]);
  await panels.getByText("1201", { exact: true }).waitFor();
});

test("150 files are 150, of which the newest are shown first", async () => {
  const session = await at.site.session("Many files");
  const files = Array.from({ length: 150 }, (_, n) => `file-${n}.txt`);
  await append(session, files.flatMap(wrote));
  const page = await at.ada.open(`/s/${session}`);
  const panels = page.getByRole("complementary", { name: "Details" });
  await panels.getByRole("button", { name: "Files changed 150" }).waitFor();
  await panels.getByText("The newest 100 of 150.").waitFor();
  await panels.getByText("file-149.txt").waitFor();
  expect(await panels.getByText("file-0.txt").count()).toBe(0);
  await panels.getByRole("button", { name: "Show all" }).click();
  await panels.getByText("file-0.txt").waitFor();
  expect(await panels.getByText("The newest 100").count()).toBe(0);
});
