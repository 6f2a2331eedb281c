import type { Actor } from "../../domain/actor.ts";
import type { Tokens } from "../../services/types.ts";
import type { Credential } from "./credentials.ts";

/** Who is this? A port: another installation may ask its own directory. */
export interface Authenticator {
  /** Undefined: nobody we know. Rejects only when it cannot be found out. */
  authenticate(credential: Credential): Promise<Actor | undefined>;
}

/** Bearer tokens and browser cookies both carry the secret of a token. */
export function tokenAuthenticator(tokens: Tokens): Authenticator {
  return { authenticate: (credential) => tokens.authenticate(credential.secret) };
}
