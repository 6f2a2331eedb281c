import type { ErrorCode } from "@fairlead/contract";
import { ERRORS } from "@fairlead/contract";
import { NOTE, page, table } from "./describe.ts";

/** docs/reference/errors.md */
export function errorsPage(): string {
  const codes = (Object.keys(ERRORS) as ErrorCode[]).toSorted();
  return page(
    "# Errors",
    NOTE,
    [
      "Every refusal is JSON with `code`, `message`, `hint`, `request_id` and sometimes `details`.",
      "Codes are stable: branch on them. Sentences are for people and may get better.",
    ].join("\n"),
    table(
      ["code", "status", "what happened", "what to do"],
      codes.map((code) => {
        const { status, message, hint } = ERRORS[code];
        return [`\`${code}\``, String(status), message, hint];
      }),
    ),
  );
}
