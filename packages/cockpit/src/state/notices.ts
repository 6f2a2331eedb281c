import type { Inbox, InboxEntry } from "@fairlead/contract/inbox";

export interface Notice {
  readonly title: string;
  readonly body: string;
  readonly entry: InboxEntry;
}

/** What needs a person now and did not before: questions, failures, reviews, and what a policy stopped. */
export function noticesOf(before: Inbox, now: Inbox): readonly Notice[] {
  const waits = ({ entries }: Inbox) => entries.filter(({ group }) => TITLES[group] !== undefined);
  const known = new Set(waits(before).map(({ key }) => key));
  return waits(now)
    .filter(({ key }) => !known.has(key))
    .map((entry) => ({ title: TITLES[entry.group]!(entry), body: entry.reason, entry }));
}

const TITLES: Partial<Record<InboxEntry["group"], (entry: InboxEntry) => string>> = {
  needs_input: ({ tool_name, title }) => `${tool_name ?? title ?? "An agent"} needs you`,
  needs_review: ({ title, status }) =>
    `${title ?? "A session"} ${status === "needs_review" ? "needs review" : "failed"}`,
};
