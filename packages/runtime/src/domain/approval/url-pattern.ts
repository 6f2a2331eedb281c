export interface UrlPattern {
  readonly origin: string;
  /** Path and query, normalised. */
  readonly path: string;
  /** The path may go on. */
  readonly open: boolean;
}

/** `https://example.com/docs/*`. The host is always whole: a `*` stands only at the end of the path. */
export function readUrlPattern(text: string): UrlPattern | undefined {
  const open = text.endsWith("*");
  const fixed = open ? text.slice(0, -1) : text;
  if (!/^https?:\/\/[^/?#@\s\\*]+\/[^\s\\#*]*$/i.test(fixed)) return undefined;
  const url = parsed(fixed);
  return url === undefined ? undefined : { origin: url.origin, path: url.pathname + url.search, open };
}

export function matchesUrl({ origin, path, open }: UrlPattern, given: string): boolean {
  const url = parsed(given);
  if (url === undefined || url.origin !== origin) return false;
  const asked = url.pathname + url.search;
  return open ? asked.startsWith(path) : asked === path;
}

function parsed(text: string): URL | undefined {
  const url = URL.parse(text);
  if (url === null || (url.protocol !== "https:" && url.protocol !== "http:")) return undefined;
  return url.username === "" && url.password === "" ? url : undefined;
}
