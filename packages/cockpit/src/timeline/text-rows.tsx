import { Suspense } from "react";
import { blocksOf } from "../lib/blocks.ts";
import { Fold } from "../ui/fold.tsx";
import { Icon } from "../ui/icon.tsx";
import { Markdown, PlainText } from "../ui/markdown.tsx";
import { beginning } from "./beginning.ts";
import type { RowProps } from "./rows.tsx";

export function AnswerRow({ entry }: RowProps<"text">) {
  // What is said again below is folded away; what is not stays as it was read.
  if (entry.superseded !== null && entry.again === true)
    return (
      <Fold
        name={entry.key}
        className="superseded"
        label={<span>Cut off, and said again below: {entry.superseded}</span>}
      >
        <PlainText className="dim" text={entry.text} />
      </Fold>
    );
  return (
    <div className={entry.open ? "answer streaming" : "answer"}>
      <Suspense fallback={<PlainText text={entry.text} />}>
        {entry.open ? (
          blocksOf(entry.text).map((block, index) => <Markdown key={index} {...block} grows />)
        ) : (
          <Markdown text={entry.text} />
        )}
      </Suspense>
      {entry.superseded === null ? null : (
        <p className="row tiny dim cut-off">
          <Icon name="stop" /> Cut off here: {entry.superseded}
        </p>
      )}
    </div>
  );
}

/** What the model chose to show of its reasoning; folded away once it speaks, unless somebody chose otherwise. */
export function ThinkingRow({ entry }: RowProps<"thinking">) {
  return (
    <Fold
      name={entry.key}
      className="thinking"
      begin={entry.open}
      label={
        <>
          <Icon name="spark" />
          <span className="unbroken">{entry.open ? "Thinking …" : "Thought:"}</span>
          {entry.open ? null : <span className="ellipsis">{beginning(entry.text)}</span>}
        </>
      }
    >
      <PlainText className="small" text={entry.text} />
    </Fold>
  );
}
