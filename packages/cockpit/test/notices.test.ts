import type { Inbox, InboxEntry } from "@fairlead/contract/inbox";
import { expect, test } from "vitest";
import { noticesOf } from "../src/state/notices.ts";

function inbox(...entries: readonly Partial<InboxEntry>[]): Inbox {
  return { entries } as unknown as Inbox;
}
const titles = (before: Inbox, now: Inbox) => noticesOf(before, now).map(({ title }) => title);

test("questions, failures, reviews and what a policy stopped are told once; the rest is not", () => {
  const before = inbox({ key: "a", group: "working" }, { key: "q1", group: "needs_input" });
  const now = inbox(
    { key: "q1", group: "needs_input", tool_name: "shell" },
    { key: "q2", group: "needs_input", tool_name: "shell", title: "T" },
    { key: "s", group: "needs_input", tool_name: null, title: "Held" },
    { key: "a", group: "needs_review", status: "failed", title: "A" },
    { key: "b", group: "needs_review", status: "needs_review", title: null },
    { key: "c", group: "done" },
    { key: "d", group: "idle" },
  );
  expect(titles(before, now)).toEqual([
    "shell needs you",
    "Held needs you",
    "A failed",
    "A session needs review",
  ]);
  expect(titles(now, now)).toEqual([]);
});
