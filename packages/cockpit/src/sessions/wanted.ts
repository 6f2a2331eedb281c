import {
  type EngineName,
  type RouteQuery,
  SESSION_SORTS,
  SESSION_STATUSES,
  type SessionKind,
  type SessionSort,
} from "@fairlead/contract";

/** What the address asks the list for. Empty: everything. */
export interface Wanted {
  readonly search: string;
  readonly status: string;
  readonly kind: string;
  readonly engine: string;
  readonly needs: "" | "me";
  readonly sort: SessionSort;
}

export const KINDS: Readonly<Record<Exclude<SessionKind, "subagent">, string>> = {
  chat: "Chats",
  background: "Background work",
  supervised: "Foreign agents",
};
export const ENGINES: Readonly<Record<EngineName, string>> = {
  native: "Fairlead's own",
  claude: "Claude",
  codex: "Codex",
};
export const SORTS: Readonly<Record<SessionSort, string>> = {
  updated: "Last changed",
  created: "Newest",
  cost: "Highest cost",
  health: "Lowest health",
};

/** What is no such thing is not asked for: an address can be written by hand. */
export function wantedOf(search: URLSearchParams): Wanted {
  const one = (name: string, known: readonly string[]): string => {
    const value = search.get(name) ?? "";
    return known.includes(value) ? value : "";
  };
  return {
    search: (search.get("search") ?? "").slice(0, 200),
    status: one("status", SESSION_STATUSES),
    kind: one("kind", Object.keys(KINDS)),
    engine: one("engine", Object.keys(ENGINES)),
    needs: one("needs", ["me"]) as "" | "me",
    sort: (one("sort", SESSION_SORTS) || "updated") as SessionSort,
  };
}

/** The address's own words: what is as it is by itself is left out. */
export function searchOf(wanted: Wanted): string {
  const said = Object.entries(wanted).filter(([, value]) => value !== "" && value !== "updated");
  return said.length === 0 ? "" : `?${new URLSearchParams(said)}`;
}

export function isFiltered({ sort: _sort, ...filters }: Wanted): boolean {
  return Object.values(filters).some((value) => value !== "");
}

/** What is asked of the server. */
export function queryOf(wanted: Wanted): Partial<RouteQuery<"listSessions">> {
  return Object.fromEntries(Object.entries(wanted).filter(([, value]) => value !== ""));
}
