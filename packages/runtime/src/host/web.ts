import { type LookupAddress, promises as dns } from "node:dns";
import { type IncomingMessage, request as overHttp } from "node:http";
import { request as overHttps } from "node:https";
import { isIP } from "node:net";
import type { Web, WebPage, WebRequest } from "../ports/web.ts";
import { isPublic } from "./public-address.ts";
import { readPage } from "./web-page.ts";

export interface WebOptions {
  /** Hosts that may be reached wherever they are, such as `docs.internal` or `localhost:8080`. */
  readonly allowHosts?: readonly string[];
  readonly timeoutMs?: number;
  /** All addresses of a host. Tests give their own. */
  readonly resolve?: (host: string) => Promise<readonly LookupAddress[]>;
  readonly userAgent?: string;
}

const REDIRECTS = 5;

/**
 * Pages of the public web. A name is resolved once, every address it has is checked, and the connection goes to the
 * one that was checked: an answer of the DNS that changes later changes nothing. Each redirect begins anew.
 */
export function hostWeb(options: WebOptions = {}): Web {
  const { allowHosts = [], timeoutMs = 30_000, resolve = lookupAll, userAgent = "fairlead" } = options;
  const allowed = new Set(allowHosts.map((host) => host.toLowerCase()));

  return {
    async get({ url, signal, maxBytes }) {
      const late = AbortSignal.timeout(timeoutMs);
      const stop = AbortSignal.any([signal, late]);
      try {
        return await follow(new URL(url), { signal: stop, maxBytes });
      } catch (error) {
        if (signal.aborted) throw new Error("Stopped.", { cause: error });
        if (late.aborted) throw new Error(`${url} did not answer within ${timeoutMs} ms.`, { cause: error });
        throw error;
      }
    },
  };

  async function follow(start: URL, limits: Limits): Promise<WebPage> {
    let url = start;
    for (let hop = 0; hop <= REDIRECTS; hop++) {
      const response = await connect(url, await within(reachable(url), limits.signal), limits.signal);
      const next = location(response, url);
      if (next === undefined) return readPage(response, url, limits.maxBytes);
      response.destroy();
      url = next;
    }
    throw new Error(`${start.href} redirects more than ${REDIRECTS} times.`);
  }

  /** The address to connect to. Rejects when the host has one that may not be reached. */
  async function reachable(url: URL): Promise<LookupAddress> {
    if (url.protocol !== "http:" && url.protocol !== "https:")
      throw new Error(`${url.href} is refused: only http and https can be read.`);
    const host = url.hostname.replace(/^\[|\]$/g, "");
    const family = isIP(host);
    const addresses = family === 0 ? await resolved(host, url) : [{ address: host, family }];
    const [first] = addresses;
    if (first === undefined) throw new Error(`${url.hostname} has no address.`);
    if (allowed.has(url.hostname) || allowed.has(url.host)) return first;
    // One private address among public ones is how a name is turned against us.
    if (!addresses.every(({ address }) => isPublic(address)))
      throw new Error(`${url.hostname} is refused: it is a private, local or reserved address.`);
    return first;
  }

  async function resolved(host: string, url: URL): Promise<readonly LookupAddress[]> {
    try {
      return await resolve(host);
    } catch (error) {
      throw new Error(
        `${url.hostname} cannot be found (${(error as NodeJS.ErrnoException).code ?? "DNS failed"}).`,
        {
          cause: error,
        },
      );
    }
  }

  function connect(url: URL, to: LookupAddress, signal: AbortSignal): Promise<IncomingMessage> {
    const send = url.protocol === "https:" ? overHttps : overHttp;
    return new Promise((done, reject) => {
      const request = send(url, {
        signal,
        // A connection of its own: a kept one might lead to what an earlier lookup said.
        agent: false,
        lookup: (_host, { all }, answer) =>
          all === true ? answer(null, [to]) : answer(null, to.address, to.family),
        headers: {
          "user-agent": userAgent,
          accept: "text/*, application/json;q=0.9, */*;q=0.5",
          "accept-encoding": "gzip, br, identity",
        },
      });
      request.once("response", done);
      request.once("error", (error: NodeJS.ErrnoException) => {
        reject(new Error(`${url.host} cannot be read: ${error.code ?? error.message}.`, { cause: error }));
      });
      request.end();
    });
  }
}

/** The DNS cannot be told to stop, but need not be waited for. */
function within<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const stop = () => reject(signal.reason as Error);
    if (signal.aborted) stop();
    signal.addEventListener("abort", stop, { once: true });
    work.then(resolve, reject).finally(() => signal.removeEventListener("abort", stop));
  });
}

type Limits = Pick<WebRequest, "signal" | "maxBytes">;

function location(response: IncomingMessage, url: URL): URL | undefined {
  const { statusCode = 0, headers } = response;
  if (![301, 302, 303, 307, 308].includes(statusCode) || headers.location === undefined) return undefined;
  if (!URL.canParse(headers.location, url)) throw new Error(`${url.href} redirects to what is no address.`);
  return new URL(headers.location, url);
}

function lookupAll(host: string): Promise<readonly LookupAddress[]> {
  return dns.lookup(host, { all: true });
}
