import { memo, use, useDeferredValue, useMemo } from "react";

type Format = (text: string) => string;
let loading: Promise<{ readonly markup: Format; readonly keptMarkup: Format }> | undefined;

/** Text of a model, as it is once the parts that format it are there. `grows`: more of it may come. */
export const Markdown = memo(function Markdown(props: { readonly text: string; readonly grows?: boolean }) {
  const { markup, keptMarkup } = use((loading ??= import("../lib/markdown.ts")));
  const shown = useDeferredValue(props.text);
  const format = props.grows === true ? markup : keptMarkup;
  const html = useMemo(() => ({ __html: format(shown) }), [format, shown]);
  return <div className="prose" dangerouslySetInnerHTML={html} />;
});
