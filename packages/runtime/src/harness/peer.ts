import { AhpError } from "@fairlead/ahp";
import type { Actor } from "../domain/actor.ts";
import type { Clock } from "../ports/clock.ts";
import type { Tokens } from "../services/types.ts";

/** Who is at the other end of a connection. */
export interface Peer {
  /** The agent. Throws `unauthorized` once its token is revoked or expired. */
  actor(): Actor | Promise<Actor>;
}

export interface PeerDeps {
  readonly tokens: Pick<Tokens, "authenticate">;
  readonly clock: Clock;
  /** How long a connection's token is believed without looking again. */
  readonly believeMs?: number;
}

const BELIEVE_MS = 5_000;

/** Lets agents in, and nobody else: whoever may decide must not also be able to ask. */
export function createAdmission({ tokens, clock, believeMs = BELIEVE_MS }: PeerDeps) {
  async function agentOf(secret: string): Promise<Actor | undefined> {
    const actor = await tokens.authenticate(secret);
    return actor?.role === "agent" ? actor : undefined;
  }

  return async (shown: { apiKey: string | undefined; token: string | undefined }): Promise<Peer | null> => {
    const secret = shown.token ?? shown.apiKey;
    const found = secret === undefined ? undefined : await agentOf(secret);
    if (secret === undefined || found === undefined) return null;
    let actor = found;
    let seen = clock.now();

    async function look(): Promise<Actor> {
      const again = await agentOf(secret as string);
      if (again === undefined) throw new AhpError("unauthorized", "The token is no longer valid.");
      seen = clock.now();
      return (actor = again);
    }

    return { actor: () => (clock.now() - seen < believeMs ? actor : look()) };
  };
}

/** The agent on a transport that this user alone can open: no token, a name from the configuration. */
export function localPeer(name: string): Peer {
  const actor: Actor = { name, role: "agent", project: null, token_id: null };
  return { actor: () => actor };
}
