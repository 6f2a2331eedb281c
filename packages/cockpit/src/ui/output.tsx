import { useMemo } from "react";
import { hasAnsi, styledLines } from "../lib/ansi.ts";
import { Copy } from "./parts.tsx";
import { printed } from "./code.tsx";
import { Visible } from "./visible.tsx";

/** What a tool gave back: text, with a terminal's looks where it has them, and never anything else. */
export function Output({ value, label }: { readonly value: unknown; readonly label?: string }) {
  const text = printed(value);
  const parts = useMemo(() => (hasAnsi(text) ? styledLines(text) : null), [text]);
  return (
    <figure>
      <figcaption className="code-head">
        <span>{label}</span>
        <Copy text={text} />
      </figcaption>
      <pre className="code" tabIndex={0}>
        {parts === null ? (
          <Visible text={text} />
        ) : (
          parts.map((part, index) => (
            <span key={index} className={part.classes}>
              <Visible text={part.text} />
            </span>
          ))
        )}
      </pre>
    </figure>
  );
}
