import { QuestionCard } from "../questions/card.tsx";
import { ofEntry } from "../questions/model.ts";
import { useMay } from "../state/me.ts";
import type { RowProps } from "./rows.tsx";

export function QuestionRow({ entry, sessionId }: RowProps<"question">) {
  return (
    <QuestionCard
      question={ofEntry(entry, sessionId)}
      partial={entry.blobs !== undefined}
      mayDecide={useMay("operator")}
    />
  );
}
