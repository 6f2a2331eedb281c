import { SUMMARY_MOST } from "@fairlead/contract/view";
import { count } from "../session/numbers.ts";

/** How many there are of a list beside the timeline, never more than is known: what may be more says so. */
export function howMany(listed: number, partial: boolean): string {
  return `${count(listed)}${partial || listed >= SUMMARY_MOST ? "+" : ""}`;
}
