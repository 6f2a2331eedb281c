import { visible } from "@fairlead/contract/visible";
import { type ToolEntry } from "@fairlead/contract/view";
import { Arguments } from "../questions/arguments.tsx";
import { onALine } from "../lib/on-a-line.ts";
import { duration } from "../lib/time.ts";
import { Chip, toolSign } from "../ui/chip.tsx";
import { Fold } from "../ui/fold.tsx";
import { Icon } from "../ui/icon.tsx";
import { Output } from "../ui/output.tsx";
import { Readable } from "../ui/readable.tsx";
import { RunningFor } from "./running-for.tsx";
import type { RowProps } from "./rows.tsx";

export function ToolRow({ entry }: RowProps<"tool">) {
  return (
    <div className={`tool ${entry.state}`}>
      <Fold
        name={entry.key}
        label={
          <>
            <Icon name="tool" />
            <code className="tool-name">{visible(entry.name)}</code>
            <span className="dim small ellipsis grow mono">{visible(shortArguments(entry))}</span>
            {entry.attempt > 1 ? <span className="tiny dim">try {entry.attempt}</span> : null}
            {entry.elapsed === null || entry.state === "invalid" ? null : (
              <span className="tiny dim num">{duration(entry.elapsed)}</span>
            )}
            {entry.state === "running" && entry.reported === undefined && entry.began !== null ? (
              <RunningFor since={entry.began} />
            ) : null}
            <Chip sign={toolSign(entry)} />
          </>
        }
      >
        <Inside entry={entry} />
      </Fold>
      {entry.error !== null && entry.state !== "ok" ? (
        <div className="tool-error small plain-text">{firstLine(entry.error)}</div>
      ) : null}
    </div>
  );
}

function Inside({ entry }: { readonly entry: ToolEntry }) {
  return (
    <div className="tool-inside stack">
      {entry.args === null ? null : <Called args={entry.args} />}
      {entry.error === null || entry.error === firstLine(entry.error) ? null : (
        <Output value={entry.error} label="Error" />
      )}
      <Result value={entry.result ?? entry.outcome} />
      <p className="tiny dim">
        call <code>{entry.callId}</code>
        {entry.effect === null ? "" : ` · effect ${entry.effect}`}
      </p>
    </div>
  );
}

/** What it was called with: text and numbers as they are, what has parts in words. */
function Called({ args }: { readonly args: Readonly<Record<string, unknown>> }) {
  const names = Object.keys(args);
  const nested = names.filter((name) => typeof args[name] === "object" && args[name] !== null);
  const flat = names.filter((name) => !nested.includes(name));
  return (
    <>
      {flat.length === 0 && nested.length > 0 ? null : (
        <Arguments args={Object.fromEntries(flat.map((name) => [name, args[name]]))} />
      )}
      {nested.length === 0 ? null : (
        <Readable value={Object.fromEntries(nested.map((name) => [name, args[name]]))} />
      )}
    </>
  );
}

/** As people read it; the debug tier has it as it came. */
function Result({ value }: { readonly value: unknown }) {
  if (value === undefined || value === null) return null;
  if (typeof value === "string") return <Output value={value} label="Result" />;
  return (
    <figure>
      <figcaption className="code-head">Result</figcaption>
      <Readable value={value} />
    </figure>
  );
}

const FIRST = ["command", "path", "url", "query", "pattern"];

/** What a call is known by: its values, those that say where and what first. */
function shortArguments({ args }: Pick<ToolEntry, "args">): string {
  if (args === null) return "";
  const names = Object.keys(args);
  const first = FIRST.filter((name) => names.includes(name));
  const rest = names.filter((name) => !first.includes(name) && isShort(args[name]));
  return [...first, ...rest]
    .map((name, index) =>
      index === 0 && first.length > 0 ? onALine(args[name]) : `${name}=${onALine(args[name])}`,
    )
    .join(" ")
    .slice(0, 300);
}

const isShort = (value: unknown): boolean => onALine(value).length <= 80 && !onALine(value).includes("\n");
const firstLine = (value: string): string => value.split("\n", 1)[0] ?? "";
