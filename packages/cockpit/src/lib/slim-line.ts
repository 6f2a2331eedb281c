import type { NoticeEntry } from "@fairlead/contract/view";

/** What is said with the same word first is not said twice. */
export function slimLine({ title, text }: Pick<NoticeEntry, "title" | "text">): string {
  if (text === "" || text.startsWith(title)) return text || title;
  return `${title}: ${text}`;
}
