import { type ReactNode, useEffect, useRef } from "react";
import { Icon } from "../ui/icon.tsx";
import { closeOverlay } from "./overlay-state.ts";

/** A sheet over the page: Escape, its button or a press beside it closes it. */
export function Sheet(props: { readonly title: string; readonly children: ReactNode }) {
  const dialog = useRef<HTMLDialogElement>(null);
  useEffect(() => dialog.current?.showModal(), []);
  return (
    <dialog
      ref={dialog}
      className="sheet"
      aria-label={props.title}
      onClose={closeOverlay}
      onClick={(event) => event.target === dialog.current && closeOverlay()}
    >
      <div className="stack">
        <div className="row">
          <h2 className="grow">{props.title}</h2>
          <button type="button" className="button quiet" aria-label="Close" onClick={closeOverlay}>
            <Icon name="cross" />
          </button>
        </div>
        {props.children}
      </div>
    </dialog>
  );
}
