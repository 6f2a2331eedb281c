import { Component, type ReactNode, useEffect } from "react";
import { MissingPart, reloads } from "../lib/part.ts";
import { ConnectionHint } from "./connection-hint.tsx";
import { Note } from "./parts.tsx";

interface Props {
  readonly children: ReactNode;
}

/** What fails below is said, and the rest of the page stays. A class, because React asks for one here. */
export class Boundary extends Component<Props, { readonly error: unknown }> {
  override state: { readonly error: unknown } = { error: null };

  static getDerivedStateFromError(error: unknown) {
    return { error };
  }

  override render() {
    const { error } = this.state;
    if (error === null) return this.props.children;
    if (error instanceof MissingPart) return <Missing name={error.part} />;
    return <Failed onRetry={() => this.setState({ error: null })} />;
  }
}

const RETRY_MS = 2_000;

/** Browsers remember that a module was not there, so only a new document mends it, once there is one to be had. */
function Missing({ name }: { readonly name: string }) {
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    let wanted = true;
    async function look(): Promise<void> {
      const there = await answers();
      if (!wanted) return;
      if (!there) timer = setTimeout(() => void look(), RETRY_MS);
      else if (reloads.claim(name)) location.reload();
    }
    void look();
    return () => {
      wanted = false;
      clearTimeout(timer);
    };
  }, [name]);
  return (
    <>
      <ConnectionHint connection="waiting" />
      <div className="page">
        <Note tone="warn">
          This part of the page could not be loaded. Nothing is lost: all that was acknowledged is in the log.{" "}
          <Retry onClick={() => void answers().then((there) => there && location.reload())} />
        </Note>
      </div>
    </>
  );
}

function Failed({ onRetry }: { readonly onRetry: () => void }) {
  return (
    <div className="page">
      <Note tone="bad">
        This could not be shown. Nothing is lost: the log has it. Try again, or reload the page.{" "}
        <Retry onClick={onRetry} />
      </Note>
    </div>
  );
}

function Retry({ onClick }: { readonly onClick: () => void }) {
  return (
    <button type="button" className="button" onClick={onClick}>
      Try again
    </button>
  );
}

/** A reload while nobody answers would leave the browser's own error page. */
async function answers(): Promise<boolean> {
  return fetch(location.pathname, { cache: "no-store" }).then(
    ({ ok }) => ok,
    () => false,
  );
}
