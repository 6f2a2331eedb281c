import type { Inbox } from "@fairlead/contract/inbox";
import { navigate, pathOf } from "../lib/router.tsx";
import { notifyMe } from "./settings.ts";

export function canNotify(): boolean {
  return "Notification" in window;
}

/** Asks the browser, once; true when it may. */
export async function allowNotify(): Promise<boolean> {
  return canNotify() && (await Notification.requestPermission()) === "granted";
}

/** Tells of each question that was not there before, while nobody looks at the page. */
export function notifyOf(before: Inbox | null, now: Inbox): void {
  if (before === null || !notifyMe.get() || !document.hidden) return;
  if (!canNotify() || Notification.permission !== "granted") return;
  const known = new Set(before.entries.map(({ key }) => key));
  for (const entry of now.entries) {
    if (entry.request_id === null || known.has(entry.key)) continue;
    const shown = new Notification(`${entry.tool_name ?? "An agent"} needs you`, {
      body: entry.reason,
      tag: entry.key,
    });
    const id = entry.request_id;
    shown.addEventListener("click", () => {
      focus();
      navigate(pathOf("question", { id }));
    });
  }
}
