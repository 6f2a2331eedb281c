import { type ReactNode, useState } from "react";
import { count } from "../session/numbers.ts";

const FIRST = 100;

/** The newest of what may be long, given the newest first; the others for who wants them. */
export function useNewest<T>(all: readonly T[]): { readonly shown: readonly T[]; readonly rest: ReactNode } {
  const [whole, setWhole] = useState(false);
  if (whole || all.length <= FIRST) return { shown: all, rest: null };
  const rest = (
    <p className="tiny dim">
      The newest {FIRST} of {count(all.length)}.{" "}
      <button type="button" className="button quiet" onClick={() => setWhole(true)}>
        Show all
      </button>
    </p>
  );
  return { shown: all.slice(0, FIRST), rest };
}
