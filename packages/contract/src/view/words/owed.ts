import type { Requirement } from "../../events/evidence.ts";
import { requirementInWords } from "../../requirement-words.ts";
import { records, text } from "./json.ts";

/** What a session owes before it is done, each in words. One of a newer writer is named all the same: it is owed. */
export function owedInWords(requires: unknown): readonly string[] {
  return records(requires).map(
    (one) =>
      text(one["subject"]) ??
      (requirementInWords(one as unknown as Requirement) as string | undefined) ??
      `Something that is not known here: ${text(one["kind"]) ?? "it has no kind"}`,
  );
}
