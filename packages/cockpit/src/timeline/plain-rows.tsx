import { type NoticeEntry, worded } from "@fairlead/contract/view";
import { visible } from "@fairlead/contract/visible";
import { Suspense } from "react";
import { localTimes } from "../lib/page-words.ts";
import { useStorePart } from "../lib/store.ts";
import { clockTime, duration } from "../lib/time.ts";
import { me } from "../state/me.ts";
import { Code } from "../ui/code.tsx";
import { Fold } from "../ui/fold.tsx";
import { Icon, type IconName } from "../ui/icon.tsx";
import { Markdown, PlainText } from "../ui/markdown.tsx";
import { Ticked } from "../ui/ticked.tsx";
import { Visible } from "../ui/visible.tsx";
import { beginning } from "./beginning.ts";
import type { RowProps } from "./rows.tsx";
import { SlimRow } from "./slim-row.tsx";

const HOW = { turn: "", steer: " steered", queue: " queued" } as const;

/** By name, but for who reads it: what was delegated is said by the agent that did. */
function speakerOf(by: string | null, reader: string | undefined): string {
  if (by === null) return "Somebody";
  return by === reader ? "You" : by;
}

export function SaidRow({ entry }: RowProps<"said">) {
  const reader = useStorePart(me, (who) => who?.name);
  const state = entry.state === "waiting" ? ", not heard yet" : entry.state === "dropped" ? ", dropped" : "";
  return (
    <div className={`said ${entry.state}`}>
      <div className="row tiny dim">
        <Icon name={entry.how === "turn" ? "person" : entry.how} />
        <Visible text={speakerOf(entry.by, reader)} />
        {HOW[entry.how]}
        {state}
        {entry.state === "dropped" && entry.note !== null ? `: ${entry.note}` : ""}
      </div>
      <PlainText text={entry.text} />
    </div>
  );
}

const ENDS: Readonly<Record<string, readonly [IconName, string]>> = {
  completed: ["check", "Turn completed"],
  failed: ["cross", "Turn failed"],
  cancelled: ["stop", "Turn stopped"],
  parked: ["clock", "Turn parked"],
};
const endOf = (status: string): readonly [IconName, string] =>
  (Object.hasOwn(ENDS, status) ? ENDS[status] : undefined) ?? ["dot", `Turn ${visible(worded(status))}`];

export function EndRow({ entry }: RowProps<"end">) {
  const [icon, words] = endOf(entry.status);
  return (
    <div className={`turn-end ${entry.status}`}>
      <span className="row tiny">
        <Icon name={icon} /> {words}
        {entry.elapsed === null ? "" : ` after ${duration(entry.elapsed)}`}
        {entry.reason === null || entry.status === "completed" ? "" : `: ${visible(entry.reason)}`}
        {entry.calm === true ? " · no guardrail stepped in" : ""}
      </span>
    </div>
  );
}

const NOTICE_ICONS: Readonly<Record<NoticeEntry["notice"], IconName>> = {
  reflection: "spark",
  warning: "warning",
  compacted: "compact",
  checkpoint: "flag",
  step: "list",
  verdict: "shield",
  policy: "shield",
  error: "cross",
  state: "dot",
  subagent: "branch",
  tasks: "list",
  verification: "check",
  artifact: "file",
  gap: "warning",
};
const TONES = { calm: "calm", good: "good", warning: "warn", bad: "bad" } as const;

const TONE_ICONS = { calm: "dot", good: "check", warning: "flag", bad: "cross" } as const;

/** What was checked has the sign of how that went. */
function iconOf({ notice, tone }: NoticeEntry): IconName {
  return notice === "verification" ? TONE_ICONS[tone] : NOTICE_ICONS[notice];
}

export function NoticeRow({ entry }: RowProps<"notice">) {
  if (entry.notice === "reflection") return <ReflectionRow entry={entry} />;
  if (entry.slim === true) return <SlimRow entry={entry} icon={NOTICE_ICONS[entry.notice]} />;
  return (
    <div className={`note ${TONES[entry.tone]}`}>
      <Icon name={iconOf(entry)} />
      <div className="grow">
        <strong>{visible(entry.title)}</strong>
        {entry.text === "" ? null : (
          <div className="plain-text">
            <Ticked text={localTimes(entry.text, clockTime)} />
          </div>
        )}
        {entry.next === undefined ? null : (
          <div className="next small">
            <Icon name="steer" /> {localTimes(entry.next, clockTime)}
          </div>
        )}
      </div>
    </div>
  );
}

/** What the model says of its own work: its beginning in a line, and all of it for who wants it. */
function ReflectionRow({ entry }: { readonly entry: NoticeEntry }) {
  return (
    <Fold
      name={entry.key}
      className="thinking reflection"
      label={
        <>
          <Icon name={NOTICE_ICONS.reflection} />
          <span className="unbroken">{entry.title}:</span>
          <span className="ellipsis">{beginning(entry.text)}</span>
        </>
      }
    >
      <div className="small">
        <Suspense fallback={<PlainText text={entry.text} />}>
          <Markdown text={entry.text} />
        </Suspense>
      </div>
    </Fold>
  );
}

export function RawRow({ entry }: RowProps<"raw">) {
  return (
    <Fold
      name={entry.key}
      className="raw"
      label={
        <>
          <code>{entry.name}</code>
          <span className="dim ellipsis">{entry.summary}</span>
        </>
      }
    >
      <Code value={entry.payload} label={`seq ${entry.seq}`} />
    </Fold>
  );
}
