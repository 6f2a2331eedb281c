import type { InboxEntry } from "@fairlead/contract/inbox";
import { shownStatus } from "@fairlead/contract/view";
import { visible } from "@fairlead/contract/visible";
import { localTimes } from "../lib/page-words.ts";
import { Link, pathOf } from "../lib/router.tsx";
import { clockTime } from "../lib/time.ts";
import { Chip, RISK_SIGNS, StatusChip } from "../ui/chip.tsx";
import { askerOf } from "../questions/model.ts";
import type { IconName } from "../ui/icon.tsx";
import { Age } from "../ui/parts.tsx";
import { Titled } from "../ui/titled.tsx";
import { Words } from "../ui/words.tsx";
import { Actions } from "./actions.tsx";

const ACTIONS = {
  decide: ["Decide", "hand"],
  answer: ["Answer", "hand"],
  review: ["Review", "flag"],
  read: ["Read", "book"],
  watch: ["Watch", "working"],
  go_on: ["Go on", "play"],
} as const satisfies Record<InboxEntry["action"], readonly [string, IconName]>;

function hrefOf({ request_id, session_id }: InboxEntry): string {
  return request_id === null ? pathOf("session", { id: session_id }) : pathOf("question", { id: request_id });
}

/** Why it is here, how long, how risky, and what to do about it. */
export function InboxRow(props: {
  readonly entry: InboxEntry;
  readonly onFocus: () => void;
  readonly onDecide: ((mode: "approve" | "deny") => void) | undefined;
}) {
  const { entry, onFocus, onDecide } = props;
  const [action] = ACTIONS[entry.action];
  const title = entry.title ?? "Untitled session";
  return (
    <div className="inbox-row">
      <Link href={hrefOf(entry)} className="inbox-link" onFocus={onFocus}>
        <span className="row">
          {entry.request_id === null ? (
            <StatusChip status={shownStatus(entry.status, entry.last_turn)} />
          ) : (
            <Chip sign={{ icon: "hand", word: action, tone: "warn" }} />
          )}
          <strong className="ellipsis grow">
            {entry.tool_name === null ? (
              <Titled text={title} />
            ) : (
              <code>{visible(askerOf(entry.tool_name))}</code>
            )}
            {entry.subject == null ? null : <code className="subject"> {visible(entry.subject)}</code>}
          </strong>
          {entry.risk === null ? null : <Chip sign={RISK_SIGNS[entry.risk] ?? RISK_SIGNS["high"]!} />}
          <span className="dim tiny age">
            <Age at={entry.since} />
          </span>
        </span>
        <span className="small dim inbox-reason">
          {entry.tool_name === null ? "" : `${visible(title)} · `}
          <Words text={localTimes(entry.reason, clockTime)} />
          {entry.kind === "chat" ? "" : ` · ${entry.kind}`}
        </span>
      </Link>
      <Actions entry={entry} onDecide={onDecide} />
    </div>
  );
}
