import type { Auth } from "../auth/credentials.ts";
import { AhpError } from "../protocol/errors.ts";

/** The URL with the credential appended to its query, form-encoded. */
export function websocketUrl(url: string, auth: Auth | undefined): URL {
  const parsed = URL.canParse(url) ? new URL(url) : undefined;
  if (parsed?.protocol !== "ws:" && parsed?.protocol !== "wss:") {
    throw new AhpError("transport_unsupported", `Not a ws or wss URL: ${url}`);
  }
  if (auth !== undefined) {
    const [name, secret] = "apiKey" in auth ? ["api_key", auth.apiKey] : ["token", auth.token];
    parsed.searchParams.append(name, secret);
  }
  return parsed;
}
