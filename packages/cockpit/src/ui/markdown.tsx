import { memo, use, useDeferredValue, useMemo } from "react";

let loading: Promise<{ markup(text: string): string }> | undefined;

/** Text of a model. Plain until the parts that format it are there. */
export const Markdown = memo(function Markdown({ text }: { readonly text: string }) {
  const { markup } = use((loading ??= import("../lib/markdown.ts")));
  const shown = useDeferredValue(text);
  const html = useMemo(() => ({ __html: markup(shown) }), [markup, shown]);
  return <div className="prose" dangerouslySetInnerHTML={html} />;
});
