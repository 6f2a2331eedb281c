import { useEffect, useId, useRef, useState } from "react";
import { call, type Problem } from "../lib/api.ts";
import { Visible } from "../ui/visible.tsx";

/** Where it works: empty is the server's own directory. Those that were used lately are offered. */
export function WorkspaceField(props: {
  readonly value: string;
  /** Why the server does not take it. */
  readonly problem: Problem | null;
  readonly onChange: (value: string) => void;
}) {
  const id = useId();
  const input = useRef<HTMLInputElement>(null);
  const { problem } = props;
  useEffect(() => {
    if (problem !== null) input.current?.focus();
  }, [problem]);
  const { roots, recent } = useDirectories();
  const known = [...new Set([...recent, ...roots])];
  return (
    <div className="field">
      <label htmlFor={id}>Workspace: the directory it works in</label>
      <input
        ref={input}
        id={id}
        className="input mono"
        list={`${id}-known`}
        placeholder={roots[0] ?? "The server's own directory"}
        autoComplete="off"
        spellCheck={false}
        aria-invalid={problem !== null}
        aria-describedby={`${id}-hint`}
        value={props.value}
        onChange={(event) => props.onChange(event.target.value)}
      />
      <datalist id={`${id}-known`}>
        {known.map((path) => (
          <option key={path} value={path} />
        ))}
      </datalist>
      <span id={`${id}-hint`} className="tiny">
        {problem === null ? null : (
          <span role="alert" className="wrong">
            <Visible text={problem.message} />{" "}
          </span>
        )}
        <span className="dim">
          {roots.length === 0 ? (
            "On the machine that runs the server."
          ) : (
            <Visible text={`On the machine that runs the server, in ${roots.join(" or ")}.`} />
          )}
        </span>
      </span>
      {recent.length === 0 ? null : (
        <div className="row wrap" role="group" aria-label="Lately used directories">
          {recent.slice(0, SHOWN).map((path) => (
            <button
              key={path}
              type="button"
              className="button quiet tiny"
              onClick={() => props.onChange(path)}
            >
              <Visible text={path} />
            </button>
          ))}
        </div>
      )}
    </div>
  );
}

const SHOWN = 3;

/** Empty until they are known; without them a path can be written all the same. */
function useDirectories(): { readonly roots: readonly string[]; readonly recent: readonly string[] } {
  const [found, setFound] = useState<{ roots: readonly string[]; recent: readonly string[] }>({
    roots: [],
    recent: [],
  });
  useEffect(() => {
    let wanted = true;
    call("listWorkspaces").then(
      (known) => void (wanted && setFound(known)),
      () => {},
    );
    return () => void (wanted = false);
  }, []);
  return found;
}
