import { memo, use, useDeferredValue, useMemo } from "react";

type Format = (text: string) => string;
interface Formats {
  readonly markup: Format;
  readonly keptMarkup: Format;
}
let loading: Promise<Formats | null> | undefined;
/** Without what formats it a text is shown as it is, until the page is loaded again. */
const load = (): Promise<Formats | null> => import("../lib/markdown.ts").catch(() => null);

/** Text of a model, as it is once the parts that format it are there. `grows`: more of it may come. */
export const Markdown = memo(function Markdown(props: { readonly text: string; readonly grows?: boolean }) {
  const formats = use((loading ??= load()));
  const shown = useDeferredValue(props.text);
  const format = props.grows === true ? formats?.markup : formats?.keptMarkup;
  const html = useMemo(() => (format === undefined ? null : { __html: format(shown) }), [format, shown]);
  if (html === null) return <div className="prose plain-text">{shown}</div>;
  return <div className="prose" dangerouslySetInnerHTML={html} />;
});
