import { PAGES } from "@fairlead/contract/pages";
import { navigate, placeOf } from "../lib/router.tsx";

const KEY = "fairlead.return-to";
const LASTS_MS = 15 * 60_000;

/** Where somebody wanted to go who was not signed in. */
export function rememberPlace(): void {
  if (location.pathname === PAGES.inbox || placeOf(location.pathname, "").page === null) return;
  const path = `${location.pathname}${location.search}`;
  localStorage.setItem(KEY, JSON.stringify({ path, at: Date.now() }));
}

/** After signing in: there, once. Only to a page of ours. */
export function returnToPlace(): void {
  const kept = localStorage.getItem(KEY);
  localStorage.removeItem(KEY);
  if (kept === null || location.pathname !== PAGES.inbox) return;
  const { path, at } = JSON.parse(kept) as { path: string; at: number };
  const [pathname = "", search = ""] = path.split("?", 2);
  if (Date.now() - at < LASTS_MS && placeOf(pathname, search).page !== null)
    navigate(path, { replace: true });
}
