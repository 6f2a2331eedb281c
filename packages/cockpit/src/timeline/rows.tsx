import type { Entry, EntryKind } from "@fairlead/contract/view";
import { type ComponentType, memo } from "react";
import { AnswerRow, ThinkingRow } from "./text-rows.tsx";
import { CognitionRow, RetrievalRow } from "./context-rows.tsx";
import { EnforcedRow } from "./enforced-row.tsx";
import { EndRow, NoticeRow, RawRow, SaidRow } from "./plain-rows.tsx";
import { QuestionRow } from "./question-row.tsx";
import { ToolRow } from "./tool-row.tsx";

export interface RowProps<K extends EntryKind = EntryKind> {
  readonly entry: Extract<Entry, { kind: K }>;
  readonly sessionId: string;
}

/** Total: a kind of row without a renderer does not compile. */
const ROWS: { readonly [K in EntryKind]: ComponentType<RowProps<K>> } = {
  said: SaidRow,
  text: AnswerRow,
  thinking: ThinkingRow,
  tool: ToolRow,
  question: QuestionRow,
  retrieval: RetrievalRow,
  cognition: CognitionRow,
  end: EndRow,
  enforced: EnforcedRow,
  notice: NoticeRow,
  raw: RawRow,
};

/** Drawn again only when its own entry changes. */
export const Row = memo(function Row({ entry, sessionId }: RowProps) {
  const Component = ROWS[entry.kind] as ComponentType<RowProps>;
  return <Component entry={entry} sessionId={sessionId} />;
});
