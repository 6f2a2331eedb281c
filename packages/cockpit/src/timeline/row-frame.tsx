import type { Entry } from "@fairlead/contract/view";
import { memo } from "react";
import { useStorePart } from "../lib/store.ts";
import { clockTime, dayTime } from "../lib/time.ts";
import { useMay } from "../state/me.ts";
import type { SessionFeed } from "../state/session-feed.ts";
import { Code } from "../ui/code.tsx";
import { Fold } from "../ui/fold.tsx";
import { Guarded } from "../ui/guarded.tsx";
import { BranchHere } from "./branch-here.tsx";
import { Row } from "./rows.tsx";

/** A row with what can be done from it: branch here, and in the debug tier its raw events. */
export const RowFrame = memo(function RowFrame(props: {
  readonly entry: Entry;
  readonly sessionId: string;
  readonly debug: boolean;
  readonly feed: SessionFeed;
}) {
  const { entry, sessionId, debug, feed } = props;
  const kind = useStorePart(feed, ({ summary }) => summary.state.kind ?? "chat");
  // What a foreign agent did cannot be gone on with from here.
  const mayBranch = useMay("operator") && kind !== "supervised";
  return (
    <div className={`row-frame kind-${entry.kind}`}>
      <div className="row-main">
        <Guarded what="row" of={entry}>
          <Row entry={entry} sessionId={sessionId} />
        </Guarded>
        {debug && entry.kind !== "raw" ? <Sources entry={entry} feed={feed} /> : null}
      </div>
      <div className="row-side tiny">
        <time dateTime={entry.at} title={clockTime(entry.at)} className="dim num">
          {dayTime(entry.at)}
        </time>
        {mayBranch ? (
          <BranchHere
            sessionId={sessionId}
            background={kind === "background"}
            seq={entry.seq}
            // The whole row: also what came of it.
            eventId={() => feed.frameAt(entry.sources.at(-1) ?? entry.seq)?.id ?? entry.id}
          />
        ) : null}
      </div>
    </div>
  );
});

function Sources({ entry, feed }: { readonly entry: Entry; readonly feed: SessionFeed }) {
  return (
    <Fold
      name={`raw ${entry.key}`}
      className="raw"
      label={
        <span>
          raw: seq {entry.sources.join(", ")} · <code>{entry.id}</code>
        </span>
      }
    >
      <Frames entry={entry} feed={feed} />
    </Fold>
  );
}

function Frames({ entry, feed }: { readonly entry: Entry; readonly feed: SessionFeed }) {
  return entry.sources
    .flatMap((seq) => feed.frameAt(seq) ?? [])
    .map((frame) => <Code key={frame.seq} value={frame} label={`${frame.type}, seq ${frame.seq}`} />);
}
