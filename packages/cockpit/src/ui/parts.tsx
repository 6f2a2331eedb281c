import { type ReactNode, useState } from "react";
import { type Problem, UNREACHABLE } from "../lib/api.ts";
import { age, clockTime, useNow } from "../lib/time.ts";
import { Icon, type IconName } from "./icon.tsx";

export function Note(props: {
  readonly tone?: "calm" | "good" | "warn" | "bad";
  readonly icon?: IconName;
  readonly children: ReactNode;
}) {
  const {
    tone = "calm",
    icon = tone === "calm" ? "dot" : tone === "good" ? "check" : "warning",
    children,
  } = props;
  return (
    <div className={`note ${tone}`} role={tone === "bad" ? "alert" : undefined}>
      <Icon name={icon} />
      <div className="grow">{children}</div>
    </div>
  );
}

export function ProblemNote({ problem }: { readonly problem: Problem }) {
  // It passes by itself: no alarm, and no code that somebody could look up.
  if (problem.code === UNREACHABLE)
    return (
      <Note icon="working">
        {problem.message} <span className="small">{problem.hint}</span>
      </Note>
    );
  return (
    <Note tone="bad">
      {problem.message} <span className="small">{problem.hint}</span> <code>{problem.code}</code>
    </Note>
  );
}

export function Empty(props: {
  readonly icon: IconName;
  readonly title: string;
  readonly children: ReactNode;
}) {
  return (
    <div className="empty">
      <Icon name={props.icon} />
      <h2>{props.title}</h2>
      {props.children}
    </div>
  );
}

export function Age({ at }: { readonly at: string }) {
  const now = useNow();
  return (
    <time dateTime={at} title={clockTime(at)} className="num">
      {age(at, now)}
    </time>
  );
}

const COPIED_MS = 1_500;

export function Copy({
  text,
  label = "Copy",
}: {
  readonly text: string | (() => string);
  readonly label?: string;
}) {
  const [done, setDone] = useState<"copied" | "refused" | null>(null);
  async function copy(): Promise<void> {
    const value = typeof text === "string" ? text : text();
    try {
      // Not there over plain http, except from the machine itself; a browser may also refuse it.
      await navigator.clipboard.writeText(value);
      setDone("copied");
      setTimeout(() => setDone(null), COPIED_MS);
    } catch {
      setDone("refused");
    }
  }
  return (
    <button type="button" className="button quiet" onClick={() => void copy()}>
      <Icon name={done === "copied" ? "check" : "copy"} />
      {done === null ? label : done === "copied" ? "Copied" : "Not allowed here: select it and copy"}
    </button>
  );
}

export function Meter(props: {
  readonly label: string;
  readonly value: number;
  readonly max: number;
  readonly text: string;
  readonly note?: string | null;
}) {
  const share = props.max === 0 ? 0 : props.value / props.max;
  const tone = share >= 1 ? "bad" : share >= 0.8 ? "warn" : "";
  return (
    <div className={`meter ${tone}`}>
      <div className="row tiny">
        <span className="grow dim">{props.label}</span>
        <span className="num">{props.text}</span>
      </div>
      <progress aria-label={props.label} max={1} value={Math.min(1, share)} />
      {props.note == null ? null : <span className="tiny dim">{props.note}</span>}
    </div>
  );
}
