import { SESSION_STATUSES } from "@fairlead/contract";
import { useEffect, useRef, useState } from "react";
import { STATUS } from "../ui/chip.tsx";
import { Icon } from "../ui/icon.tsx";
import { ENGINES, KINDS, SORTS, type Wanted } from "./wanted.ts";

const TYPING_MS = 200;

/** What is looked for. Every change is an address of its own, to come back to or to send to somebody. */
export function Filters(props: { readonly wanted: Wanted; readonly onChange: (wanted: Wanted) => void }) {
  const { wanted, onChange } = props;
  const words = SESSION_STATUSES.map((one) => [one, STATUS[one].word]);
  // Whatever is idle, also what is shown as its last turn ended.
  const statuses = {
    ...Object.fromEntries(words),
    idle: "At rest",
    awaiting_approval: "Waits for a decision",
  };
  return (
    <div className="filters" role="search">
      <SearchInput value={wanted.search} onChange={(search) => onChange({ ...wanted, search })} />
      <button
        type="button"
        className="button"
        aria-pressed={wanted.needs === "me"}
        onClick={() => onChange({ ...wanted, needs: wanted.needs === "me" ? "" : "me" })}
      >
        <Icon name="hand" /> Needs me
      </button>
      <Select
        label="Sort by"
        value={wanted.sort}
        options={SORTS}
        onChange={(sort) => onChange({ ...wanted, sort: sort as Wanted["sort"] })}
      />
      <Select
        label="Status"
        any="Any status"
        value={wanted.status}
        options={statuses}
        onChange={(status) => onChange({ ...wanted, status })}
      />
      <Select
        label="Kind"
        any="Any kind"
        value={wanted.kind}
        options={KINDS}
        onChange={(kind) => onChange({ ...wanted, kind })}
      />
      <Select
        label="Engine"
        any="Any engine"
        value={wanted.engine}
        options={ENGINES}
        onChange={(engine) => onChange({ ...wanted, engine })}
      />
    </div>
  );
}

/** Asks when somebody stops typing, and follows the address when that changes by itself. */
function SearchInput(props: { readonly value: string; readonly onChange: (value: string) => void }) {
  const { value, onChange } = props;
  const [text, setText] = useState(value);
  const [asked, setAsked] = useState(value);
  const latest = useRef(onChange);
  useEffect(() => {
    latest.current = onChange;
  });
  if (asked !== value) {
    setAsked(value);
    if (text.trim() !== value) setText(value);
  }
  useEffect(() => {
    if (text.trim() === value) return undefined;
    const timer = setTimeout(() => latest.current(text.trim()), TYPING_MS);
    return () => clearTimeout(timer);
  }, [text, value]);
  return (
    <input
      className="input"
      type="search"
      placeholder="Search title, person, model, directory, id"
      aria-label="Search sessions"
      maxLength={200}
      value={text}
      onChange={(event) => setText(event.target.value)}
    />
  );
}

function Select(props: {
  readonly label: string;
  readonly any?: string;
  readonly value: string;
  readonly options: Readonly<Record<string, string>>;
  readonly onChange: (value: string) => void;
}) {
  return (
    <select
      className="input"
      aria-label={props.label}
      value={props.value}
      onChange={(event) => props.onChange(event.target.value)}
    >
      {props.any === undefined ? null : <option value="">{props.any}</option>}
      {Object.entries(props.options).map(([name, word]) => (
        <option key={name} value={name}>
          {word}
        </option>
      ))}
    </select>
  );
}
