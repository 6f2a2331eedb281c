import { appendFileSync, chmodSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";

const MOST = 1_000;

/** What was said before, the oldest first. A file that cannot be read is no reason not to begin. */
export function loadHistory(file: string): string[] {
  try {
    const all = readFileSync(file, "utf8").split("\n").flatMap(entry);
    if (all.length > 2 * MOST) writeFileSync(file, all.slice(-MOST).map(lineOf).join(""), { mode: 0o600 });
    return all.slice(-MOST);
  } catch {
    return [];
  }
}

/** Kept for this user alone: prompts hold what people would not show. */
export function keepHistory(file: string, text: string): void {
  try {
    mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
    appendFileSync(file, lineOf(text), { mode: 0o600 });
    chmodSync(file, 0o600);
  } catch {
    // A home that cannot be written to costs the history, not the conversation.
  }
}

function lineOf(text: string): string {
  return `${JSON.stringify(text)}\n`;
}

function entry(row: string): string[] {
  try {
    const text = JSON.parse(row) as unknown;
    return typeof text === "string" ? [text] : [];
  } catch {
    return [];
  }
}
