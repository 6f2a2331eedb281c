import { SESSION_COOKIE } from "@fairlead/contract";

export interface Credential {
  readonly kind: "bearer" | "cookie";
  readonly secret: string;
}

interface Headers {
  readonly authorization?: string | undefined;
  readonly cookie?: string | undefined;
}

// token68 of RFC 7235, and a length that no secret of ours comes near.
const BEARER = /^Bearer ([A-Za-z0-9._~+/-]{1,512}=*)$/i;
const COOKIE_VALUE = /^[A-Za-z0-9._~+/-]{1,512}=*$/;

/**
 * What the request offers as proof; undefined when nothing usable. The header is meant, a cookie
 * only comes along: a header that is there but unreadable is not made up for by the cookie.
 */
export function credentialOf(headers: Headers): Credential | undefined {
  if (headers.authorization !== undefined) {
    const secret = BEARER.exec(headers.authorization)?.[1];
    return secret === undefined ? undefined : { kind: "bearer", secret };
  }
  const secret = headers.cookie === undefined ? undefined : cookieValue(headers.cookie);
  return secret === undefined ? undefined : { kind: "cookie", secret };
}

function cookieValue(header: string): string | undefined {
  for (const pair of header.split(";")) {
    const at = pair.indexOf("=");
    if (at === -1 || pair.slice(0, at).trim() !== SESSION_COOKIE) continue;
    const value = pair.slice(at + 1).trim();
    return COOKIE_VALUE.test(value) ? value : undefined;
  }
  return undefined;
}

/** The `Set-Cookie` line that signs a browser in, or out when `secret` is null. */
export function sessionCookie(
  secret: string | null,
  options: { readonly secure: boolean; readonly maxAgeMs: number },
): string {
  const age = secret === null ? 0 : Math.max(0, Math.floor(options.maxAgeMs / 1000));
  const line = `${SESSION_COOKIE}=${secret ?? ""}; HttpOnly; SameSite=Strict; Path=/; Max-Age=${age}`;
  return options.secure ? `${line}; Secure` : line;
}
