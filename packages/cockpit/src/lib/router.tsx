import { PAGES, type PageName } from "@fairlead/contract/pages";
import { type AnchorHTMLAttributes, type MouseEvent, useSyncExternalStore } from "react";

export interface Place {
  readonly page: PageName | null;
  readonly params: Readonly<Record<string, string>>;
  readonly search: URLSearchParams;
}

const PATTERNS = (Object.keys(PAGES) as PageName[]).map((page) => ({
  page,
  pattern: new RegExp(`^${PAGES[page].replaceAll(/\{(\w+)\}/g, "(?<$1>[^/]+)")}$`),
}));

export function placeOf(path: string, search: string): Place {
  for (const { page, pattern } of PATTERNS) {
    const match = pattern.exec(path);
    if (match !== null)
      return { page, params: decoded(match.groups ?? {}), search: new URLSearchParams(search) };
  }
  return { page: null, params: {}, search: new URLSearchParams(search) };
}

function decoded(groups: Readonly<Record<string, string>>): Record<string, string> {
  const params: Record<string, string> = {};
  for (const [name, value] of Object.entries(groups)) {
    try {
      params[name] = decodeURIComponent(value);
    } catch {
      params[name] = value;
    }
  }
  return params;
}

export function pathOf(page: PageName, params: Readonly<Record<string, string>> = {}): string {
  return PAGES[page].replaceAll(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(params[name] ?? ""));
}

const listeners = new Set<() => void>();
let current = { key: "", place: placeOf("/", "") };

function read(): Place {
  const key = `${location.pathname}${location.search}`;
  if (current.key !== key) current = { key, place: placeOf(location.pathname, location.search) };
  return current.place;
}

function changed(): void {
  for (const listener of listeners) listener();
}
addEventListener("popstate", changed);

export function navigate(path: string, options: { readonly replace?: boolean } = {}): void {
  if (options.replace === true) history.replaceState(null, "", path);
  else history.pushState(null, "", path);
  changed();
}

export function usePlace(): Place {
  return useSyncExternalStore((listener) => {
    listeners.add(listener);
    return () => void listeners.delete(listener);
  }, read);
}

/** A link within the page: a plain click stays in it, any other does what the browser does. */
export function Link({ href, onClick, ...rest }: AnchorHTMLAttributes<HTMLAnchorElement> & { href: string }) {
  function follow(event: MouseEvent<HTMLAnchorElement>): void {
    onClick?.(event);
    if (event.defaultPrevented || event.button !== 0) return;
    if (event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
    event.preventDefault();
    navigate(href);
  }
  return <a href={href} onClick={follow} {...rest} />;
}
