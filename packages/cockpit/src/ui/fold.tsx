import { type ReactNode, useId } from "react";
import { useKept } from "../lib/kept.ts";

/**
 * Something that is opened: a button says what is in it, and whether it is open. Named, it is as somebody left it
 * whenever it is shown again. What is closed is not drawn.
 */
export function Fold(props: {
  readonly name: string | null;
  readonly label: ReactNode;
  readonly className?: string;
  /** How it is until somebody has touched it. */
  readonly begin?: boolean;
  readonly heading?: "h3";
  readonly children: ReactNode;
}) {
  const { name, label, className = "", begin = false, heading: Heading, children } = props;
  const id = useId();
  const [chosen, choose] = useKept<boolean | null>(name === null ? null : `open ${name}`, () => null);
  const open = chosen ?? begin;
  const button = (
    <button
      type="button"
      className="fold-head row"
      aria-expanded={open}
      aria-controls={open ? id : undefined}
      onClick={() => choose(!open)}
    >
      {label}
    </button>
  );
  return (
    <div className={`fold ${className}`}>
      {Heading === undefined ? button : <Heading className="fold-heading">{button}</Heading>}
      {open ? (
        <div id={id} className="fold-body">
          {children}
        </div>
      ) : null}
    </div>
  );
}
