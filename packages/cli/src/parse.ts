import { EVIDENCE_RULES, Reflection, type Requirement, Requirements } from "@fairlead/contract";
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

/** The same, or no end at all. */
export function parseExpiryOrNone(text: string): string {
  return text === "none" ? text : parseExpiry(text);
}

const SUBJECTS: Readonly<Record<string, string>> = {
  command: "command",
  file: "path",
  tool: "tool",
  rule: "rule",
};

/** One more check that work owes, such as `command:npm test`: how checks are named wherever they are shown. */
export function parseRequirement(text: string, before: readonly Requirement[] = []): readonly Requirement[] {
  const at = text.indexOf(":");
  const kind = text.slice(0, Math.max(0, at));
  const subject = Object.hasOwn(SUBJECTS, kind) ? SUBJECTS[kind] : undefined;
  const read = Requirements.safeParse([...before, { kind, [subject ?? ""]: text.slice(at + 1).trim() }]);
  if (subject === undefined || !read.success)
    throw new InvalidArgumentError(
      `Write command:COMMAND, file:PATH, tool:NAME or rule:${EVIDENCE_RULES.join("|")}.`,
    );
  return read.data;
}

/** When a model looks back: `finish`, `failures:3`, both with a comma between them, or `off`. */
export function parseReflection(text: string): Reflection {
  const parts = text === "off" ? [] : text.split(",").map((part) => WHEN.exec(part.trim()));
  const said = Object.assign(
    {},
    ...parts.map((found) => (found === null ? { unknown: true } : whenOf(found))),
  );
  const read = Reflection.safeParse(said);
  if (!read.success)
    throw new InvalidArgumentError("Write finish, failures:3, both with a comma between them, or off.");
  return read.data;
}

const WHEN = /^(?:finish|failures:(\d{1,3}))$/;

function whenOf([, failures]: RegExpExecArray): Reflection {
  return failures === undefined ? { before_finish: true } : { after_failures: Number(failures) };
}
