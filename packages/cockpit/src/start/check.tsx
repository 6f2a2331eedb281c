import type { Requirement } from "@fairlead/contract";
import { useId } from "react";

/** What must be seen to hold before background work counts as done. Empty: nothing is asked for. */
export interface Check {
  readonly command: string;
  readonly path: string;
}
export const NO_CHECK: Check = { command: "", path: "" };

const FIELDS = [
  ["command", "Done only once this command succeeds", "npm test"],
  ["path", "Done only once it has read or written this file", "docs/report.md"],
] as const;

export function CheckFields(props: { readonly check: Check; readonly onChange: (check: Check) => void }) {
  const { check, onChange } = props;
  const id = useId();
  return (
    <div className="fields">
      {FIELDS.map(([name, label, example]) => (
        <div key={name} className="field">
          <label htmlFor={`${id}-${name}`}>{label}</label>
          <input
            id={`${id}-${name}`}
            className="input"
            placeholder={`For example ${example}`}
            maxLength={1_000}
            value={check[name]}
            onChange={(event) => onChange({ ...check, [name]: event.target.value })}
          />
        </div>
      ))}
    </div>
  );
}

export function requiresOf({ command, path }: Check): Requirement[] {
  return [
    ...(command.trim() === "" ? [] : [{ kind: "command" as const, command: command.trim() }]),
    ...(path.trim() === "" ? [] : [{ kind: "file" as const, path: path.trim() }]),
  ];
}
