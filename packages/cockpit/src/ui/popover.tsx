import { type ReactNode, useId, useRef, useState } from "react";

const GAP = 4;

/** Something one click away, under its button. The browser closes it on Escape, and on a click elsewhere. */
export function Popover(props: {
  readonly label: ReactNode;
  readonly title: string;
  /** What the button is called, where its label is a picture. */
  readonly name?: string;
  readonly className?: string;
  readonly children: ReactNode;
}) {
  const id = useId();
  const [open, setOpen] = useState(false);
  const button = useRef<HTMLButtonElement>(null);
  return (
    <>
      <button
        ref={button}
        type="button"
        className={props.className ?? "chip"}
        popoverTarget={id}
        aria-expanded={open}
        title={props.title}
        aria-label={props.name}
      >
        {props.label}
      </button>
      <div
        id={id}
        popover="auto"
        role="region"
        aria-label={props.title}
        className="popover"
        onBeforeToggle={(event) => {
          const box = event.currentTarget;
          const at = button.current?.getBoundingClientRect();
          if (event.target !== box || event.newState !== "open" || at === undefined) return;
          // Above it, where below is no room.
          const up = at.bottom > innerHeight * 0.6;
          box.style.top = up ? "auto" : `${at.bottom + GAP}px`;
          box.style.bottom = up ? `${innerHeight - at.top + GAP}px` : "auto";
          // What is longer scrolls: its last button can be reached.
          box.style.maxHeight = `${(up ? at.top : innerHeight - at.bottom) - 2 * GAP}px`;
          // As far right as it fits; its width is the style sheet's, and not known while it is closed.
          box.style.left = `min(${Math.max(GAP, at.left)}px, 100vw - var(--popover) - ${GAP}px)`;
        }}
        // React lets it rise: one inside this one opens and closes by itself.
        onToggle={(event) => {
          if (event.target === event.currentTarget) setOpen(event.newState === "open");
        }}
      >
        {open ? props.children : null}
      </div>
    </>
  );
}
