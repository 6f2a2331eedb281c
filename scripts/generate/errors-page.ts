import type { ErrorCode } from "@fairlead/contract";
import { ERRORS, TURN_FAILURES } from "@fairlead/contract";
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
    "## Turns that fail",
    "The `code` of a turn's `error` (`runtime.request.failed`), which its stream carries. `cancelled` is there when someone stopped it.",
    table(
      ["code", "what happened"],
      Object.entries(TURN_FAILURES).map(([code, sentence]) => [`\`${code}\``, sentence]),
    ),
  );
}
