import type { SessionFeed } from "../state/session-feed.ts";

/** The session beside its timeline. */
export function Panels(props: {
  readonly feed: SessionFeed;
  readonly id: string;
  readonly onClose: () => void;
}) {
  return <aside className="panels" aria-label="Details" data-session={props.id} />;
}
