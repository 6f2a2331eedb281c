import { FairleadError } from "@fairlead/contract";
import { errorOf, ServerUnreachable } from "./errors.ts";

export type Fetch = (url: string, init: RequestInit) => Promise<Response>;

/** How requests reach the server. */
export interface Http {
  readonly url: string;
  /** Throws `ServerUnreachable`, or a `ServerError` for any status that is not 2xx. The signal's reason passes through. */
  send(request: Request): Promise<Response>;
}

export interface Request {
  readonly method: string;
  /** Absolute, with its parameters filled in. */
  readonly path: string;
  readonly query?: Readonly<Record<string, unknown>>;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: unknown;
  readonly signal?: AbortSignal | undefined;
}

export function createHttp(options: {
  readonly url: string;
  readonly token?: string | undefined;
  readonly fetch?: Fetch | undefined;
}): Http {
  const base = options.url.replace(/\/+$/, "");
  const send = options.fetch ?? ((url, init) => globalThis.fetch(url, init));
  const credential: Record<string, string> =
    options.token === undefined ? {} : { authorization: `Bearer ${options.token}` };

  return {
    url: base,
    async send({ method, path, query = {}, headers, body, signal }) {
      const init: RequestInit = {
        method,
        // The API never redirects a program, and a credential must not follow one elsewhere.
        redirect: "error",
        headers: { accept: "application/json", ...credential, ...jsonType(body), ...headers },
      };
      if (body !== undefined) init.body = JSON.stringify(body);
      if (signal !== undefined) init.signal = signal;
      let response: Response;
      try {
        response = await send(`${base}${path}${queryText(query)}`, init);
      } catch (cause) {
        if (signal?.aborted) throw signal.reason;
        throw new ServerUnreachable(`No answer from ${base}.`, { cause });
      }
      if (!response.ok) throw await errorOf(response);
      return response;
    },
  };
}

function jsonType(body: unknown): Record<string, string> {
  return body === undefined ? {} : { "content-type": "application/json" };
}

/** Undefined is left out; a list is joined by commas. */
function queryText(query: Readonly<Record<string, unknown>>): string {
  const params = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) {
    if (value !== undefined) params.set(name, Array.isArray(value) ? value.join(",") : String(value));
  }
  return params.size === 0 ? "" : `?${params}`;
}

/** Fills `{id}` in. Throws `invalid_id` for a name that no URL can carry. */
export function fillPath(path: string, params: Readonly<Record<string, unknown>>): string {
  return path.replaceAll(/\{(\w+)\}/g, (_, name: string) => {
    const value = String(params[name] ?? "");
    // However they are encoded, URLs read these as "here" and "up".
    if (value === "" || value === "." || value === "..") {
      throw new FairleadError("invalid_id", { details: { [name]: value } });
    }
    return encodeURIComponent(value);
  });
}
