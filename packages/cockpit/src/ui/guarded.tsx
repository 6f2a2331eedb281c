import { Component, type ReactNode } from "react";
import { MissingPart } from "../lib/part.ts";
import { Code } from "./code.tsx";
import { Note } from "./parts.tsx";
import { Raw } from "./raw.tsx";

interface Props {
  /** What it is called where it cannot be shown: "row", "panel". */
  readonly what: string;
  /** What it is made of: when that is another, it is tried again. */
  readonly of: unknown;
  /** Shown to everyone, and not in the debug tier alone: somebody decides by it. */
  readonly always?: boolean;
  readonly children: ReactNode;
}

interface State {
  readonly error: unknown;
  readonly of: unknown;
}

/**
 * A part of a page that may fail without the others: it says so, and what it is made of can be read as it is. A class,
 * because React asks for one here.
 */
export class Guarded extends Component<Props, State> {
  override state: State = { error: null, of: this.props.of };

  static getDerivedStateFromError(error: unknown) {
    return { error };
  }

  static getDerivedStateFromProps({ of }: Props, state: State): State | null {
    return Object.is(of, state.of) ? null : { error: null, of };
  }

  override render() {
    const { error } = this.state;
    const { what, of, always = false, children } = this.props;
    if (error === null) return children;
    // A part of the program that did not come is mended by a new page.
    if (error instanceof MissingPart) throw error;
    const label = `What the ${what} is made of`;
    return (
      <div className="guarded">
        <Note tone="warn">
          This {what} could not be shown. Nothing is lost: the log has it
          {always ? "." : ", and Debug shows it as it is."}
        </Note>
        {always ? <Code value={of} label={label} /> : <Raw value={of} label={label} />}
      </div>
    );
  }
}
