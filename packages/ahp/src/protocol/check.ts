import type { z } from "zod";

import type { AhpErrorCode } from "./errors.ts";
import { AhpError } from "./errors.ts";

const MOST_ISSUES = 3;
const LONGEST = 400;

/** The value as its schema reads it, or a clear error. */
export function check<T extends z.ZodType>(
  schema: T,
  value: unknown,
  code: AhpErrorCode,
  what: string,
): z.output<T> | AhpError {
  const read = schema.safeParse(value);
  return read.success ? read.data : new AhpError(code, `${what}: ${explain(read.error)}`);
}

/** Says what is wrong and where, within bounds: the value may be huge and the peer hostile. */
function explain(error: z.ZodError): string {
  const shown = error.issues.slice(0, MOST_ISSUES).map((issue) => {
    const where = issue.path.map(String).join(".");
    return where === "" ? issue.message : `${where}: ${issue.message}`;
  });
  const more = error.issues.length - shown.length;
  return `${shown.join("; ").slice(0, LONGEST)}${more > 0 ? `; and ${more} more` : ""}`;
}
