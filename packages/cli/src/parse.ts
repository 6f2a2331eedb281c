import { InvalidArgumentError } from "commander";
import { momentOf } from "./time.ts";

const MOST_ROWS = 1000;

export function parseLimit(text: string): number {
  const limit = Number(text);
  if (!/^\d{1,4}$/.test(text) || limit < 1 || limit > MOST_ROWS) {
    throw new InvalidArgumentError(`A number from 1 to ${MOST_ROWS}.`);
  }
  return limit;
}

export function parsePort(text: string): number {
  const port = Number(text);
  if (!/^\d{1,5}$/.test(text) || port > 65_535)
    throw new InvalidArgumentError("A port is a number from 0 to 65535.");
  return port;
}

/** When something that lasts so long ends. */
export function parseExpiry(text: string): string {
  const moment = momentOf(text);
  if (moment === undefined)
    throw new InvalidArgumentError("Give 30d, 12h, 45m, 2w, or a date such as 2030-01-31.");
  return moment;
}
