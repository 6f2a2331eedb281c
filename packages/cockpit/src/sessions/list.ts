import type { HealthyRow } from "@fairlead/contract";
import { useCallback, useEffect, useRef, useState } from "react";
import { call, type Problem, problemOf } from "../lib/api.ts";
import { useStore } from "../lib/store.ts";
import { inbox } from "../state/inbox.ts";
import { searchOf, type Wanted } from "./wanted.ts";

const PAGE = 50;
const MOST = 1_000;
/** While much happens, the list is looked at so often at most. */
const PAUSE_MS = 1_000;

export interface Listed {
  readonly rows: readonly HealthyRow[] | null;
  readonly more: boolean;
  readonly busy: boolean;
  readonly problem: Problem | null;
  readonly load: () => void;
}

interface Loaded {
  readonly of: string;
  readonly rows: readonly HealthyRow[];
  readonly cursor: string | null;
}

/** As many as were asked for, filtered and sorted by the server; looked at again whenever something moves. */
export function useSessions(wanted: Wanted): Listed {
  const { inbox: moved } = useStore(inbox);
  const of = searchOf(wanted);
  const [loaded, setLoaded] = useState<Loaded | null>(null);
  const [count, setCount] = useState({ of, most: PAGE });
  const [problem, setProblem] = useState<Problem | null>(null);
  const [busy, setBusy] = useState(false);
  const last = useRef({ key: "", at: 0 });
  const most = count.of === of ? count.most : PAGE;
  const key = `${of} ${most}`;
  const latest = useRef(wanted);
  useEffect(() => {
    latest.current = wanted;
  });
  useEffect(() => {
    let isWanted = true;
    // A new question is asked at once; the same again, not more often than a person could read.
    const wait = last.current.key === key ? Math.max(0, last.current.at + PAUSE_MS - Date.now()) : 0;
    const timer = setTimeout(() => {
      last.current = { key, at: Date.now() };
      setBusy(true);
      fetched(latest.current, most).then(
        (page) => {
          if (!isWanted) return;
          setProblem(null);
          setBusy(false);
          setLoaded({ of, ...page });
        },
        (error: unknown) => {
          if (!isWanted) return;
          setBusy(false);
          setProblem(problemOf(error));
        },
      );
    }, wait);
    return () => {
      isWanted = false;
      clearTimeout(timer);
    };
  }, [key, of, most, moved]);
  const load = useCallback(() => setCount({ of, most: most + PAGE }), [of, most]);
  return {
    rows: loaded?.rows ?? null,
    more: loaded?.of === of && loaded.cursor !== null,
    busy,
    problem,
    load,
  };
}

async function fetched(wanted: Wanted, most: number): Promise<Omit<Loaded, "of">> {
  const query = Object.fromEntries(Object.entries(wanted).filter(([, value]) => value !== ""));
  const rows: HealthyRow[] = [];
  for (let cursor: string | null | undefined; rows.length < most && cursor !== null;) {
    const limit = Math.min(MOST, most - rows.length);
    const page = await call("listSessions", {
      query: { ...query, limit, ...(cursor === undefined ? {} : { cursor }) },
    });
    rows.push(...page.rows);
    cursor = page.cursor;
    if (cursor === null || rows.length >= most) return { rows, cursor };
  }
  return { rows, cursor: null };
}
