import type { Inbox } from "@fairlead/contract/inbox";
import { navigate, pathOf } from "../lib/router.tsx";
import { type Notice, noticesOf } from "./notices.ts";
import { notifyMe } from "./settings.ts";

export function canNotify(): boolean {
  return "Notification" in window;
}

/** Asks the browser, once; true when it may. */
export async function allowNotify(): Promise<boolean> {
  return canNotify() && (await Notification.requestPermission()) === "granted";
}

/** Tells of what needs somebody and did not before, while nobody looks at the page. Must not throw: a count hangs on it. */
export function notifyOf(before: Inbox | null, now: Inbox): void {
  if (before === null || !notifyMe.get() || !document.hidden) return;
  if (!canNotify() || Notification.permission !== "granted") return;
  try {
    for (const notice of noticesOf(before, now)) show(notice);
  } catch {
    // Chrome on Android has the name and refuses to make one: the button says then that they are off.
    notifyMe.set(false);
  }
}

function show({ title, body, entry: { key, request_id, session_id } }: Notice): void {
  const shown = new Notification(title, { body, tag: key });
  shown.addEventListener("click", () => {
    focus();
    navigate(
      request_id === null ? pathOf("session", { id: session_id }) : pathOf("question", { id: request_id }),
    );
  });
}
