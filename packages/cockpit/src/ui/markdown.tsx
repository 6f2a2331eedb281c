import { memo, use, useDeferredValue, useMemo, useRef } from "react";
import { usePaced } from "./paced.ts";
import { Visible } from "./visible.tsx";

type Format = (text: string) => string | null;
interface Formats {
  readonly markup: Format;
  readonly keptMarkup: Format;
}
let loading: Promise<Formats | null> | undefined;
/** Without what formats it a text is shown as it is, until the page is loaded again. */
const load = (): Promise<Formats | null> => import("../lib/markdown.ts").catch(() => null);

/** Text of a model, as it is once the parts that format it are there. `grows`: more of it may come. */
export const Markdown = memo(function Markdown(props: {
  readonly text: string;
  readonly grows?: boolean;
  /** It is one with the part above it. */
  readonly continued?: boolean;
}) {
  const formats = use((loading ??= load()));
  const took = useRef(0);
  const shown = usePaced(useDeferredValue(props.text), took);
  const format = props.grows === true ? formats?.markup : formats?.keptMarkup;
  const html = useMemo(() => {
    const began = performance.now();
    const made = format?.(shown) ?? null;
    took.current = performance.now() - began;
    return made === null ? null : { __html: made };
  }, [format, shown]);
  const looks = props.continued === true ? "prose continued" : "prose";
  if (html === null) return <PlainText className={looks} text={shown} />;
  return <div className={looks} dangerouslySetInnerHTML={html} />;
});

/** Text as it is, with what would be hidden in it as escapes. */
export function PlainText({ text, className = "" }: { readonly text: string; readonly className?: string }) {
  return (
    <div className={`plain-text ${className}`}>
      <Visible text={text} />
    </div>
  );
}
