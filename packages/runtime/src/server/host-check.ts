import type { IncomingMessage } from "node:http";
import { isIP } from "node:net";

/** Where the server listens, and the names it answers to beside that address. */
export interface Served {
  readonly host: string;
  readonly port: number;
  /** `name` (any port) or `name:port`. */
  readonly allowHosts: readonly string[];
  /** Reached by https, through a proxy that ends TLS. */
  readonly secure: boolean;
}

/**
 * Browsers find names under `localhost` on this machine without asking anyone (RFC 6761), and keep
 * cookies apart by name, but not by port: other servers here do not get what this name was given.
 */
const OWN_NAME = "fairlead.localhost";
const LOOPBACK_NAMES = ["localhost", OWN_NAME, "127.0.0.1", "[::1]"];

/** The same address by the name that is ours alone; undefined where a browser would not get here by it. */
export function ownNameUrl({ host, port, secure }: Served): string | undefined {
  const here = ["127.0.0.1", "::1", "0.0.0.0", "::"].includes(host);
  return here && !secure ? `http://${OWN_NAME}:${port}` : undefined;
}

export function isLoopback(host: string): boolean {
  const name = host.replace(/^\[|\]$/g, "").toLowerCase();
  return name === "localhost" || name === "::1" || (isIP(name) === 4 && name.startsWith("127."));
}

/** As it stands in a URL: an IPv6 address gets its brackets. */
export function urlHost(host: string): string {
  return isIP(host) === 6 ? `[${host}]` : host;
}

/** Host and port of a Host header; undefined when it is none. */
function split(header: string): { name: string; port: string } | undefined {
  const match = /^(\[[0-9a-f:.]+\]|[a-z0-9._-]+)(?::(\d{1,5}))?$/i.exec(header);
  return match === null ? undefined : { name: match[1]!.toLowerCase(), port: match[2] ?? "" };
}

/**
 * Against DNS rebinding: a page of evil.example whose name now points here still sends its own name.
 * An IP address as Host cannot be rebound, so beyond loopback any is taken, with our port.
 */
export function hostAllowed(header: string | undefined, served: Served): boolean {
  const parts = header === undefined ? undefined : split(header);
  if (parts === undefined) return false;
  const { name, port } = parts;
  for (const allowed of served.allowHosts) {
    const own = allowed.toLowerCase();
    if (own === name || own === `${name}:${port}`) return true;
  }
  if (port !== String(served.port) && !(port === "" && served.port === 80)) return false;
  if (LOOPBACK_NAMES.includes(name)) return true;
  if (name === urlHost(served.host).toLowerCase()) return true;
  return !isLoopback(served.host) && isIP(name.replace(/^\[|\]$/g, "")) !== 0;
}

/** How many Host headers a request has; Node shows the first as if there were no other. */
export function hostHeaders({ rawHeaders }: Pick<IncomingMessage, "rawHeaders">): number {
  return rawHeaders.filter((text, i) => i % 2 === 0 && text.toLowerCase() === "host").length;
}

/** Only our own pages may call from a browser; `host` has passed the check above. */
export function originAllowed(origin: string, host: string, served: Served): boolean {
  return origin.toLowerCase() === `${served.secure ? "https" : "http"}://${host.toLowerCase()}`;
}

type Header = string | readonly string[] | undefined;

/**
 * A cookie goes along with requests that its owner did not mean to send, also from pages on other
 * ports of the same host. So what it may do must visibly come from a page of ours.
 */
export function cookieRequestAllowed(method: string, headers: Readonly<Record<string, Header>>): boolean {
  const site = headers["sec-fetch-site"];
  if (method === "GET" || method === "HEAD") {
    if (site === undefined || site === "same-origin" || site === "none") return true;
    return headers["sec-fetch-mode"] === "navigate";
  }
  return headers["origin"] !== undefined || site === "same-origin";
}
