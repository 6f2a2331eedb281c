import { type ChangeArtifact, FairleadError } from "@fairlead/contract";
import type { Actor } from "../../domain/actor.ts";
import type { StoredSession } from "../../domain/session.ts";
import { changeArtifact } from "../../domain/workspace/artifacts.ts";
import { workspaceIdOf } from "../../domain/workspace/own-place.ts";
import type { EventLog } from "../../ports/event-log.ts";
import type { Ids } from "../../ports/ids.ts";
import type { Workspaces } from "../../ports/workspaces.ts";
import { commandStream } from "../access.ts";
import { demand, taken } from "../refusal.ts";

export interface Offers {
  /**
   * What a session has changed so far, as a diff and where there is a repository as a branch; recorded as an artifact.
   * Throws workspace_unavailable, also where it has none, and turn_active while it runs.
   */
  offer(actor: Actor, ref: string): Promise<ChangeArtifact>;
}

export interface OffersDeps {
  readonly log: EventLog;
  readonly ids: Ids;
  readonly workspaces?: Workspaces;
}

const LEASE_MS = 60_000;

export function createOffers({ log, ids, workspaces }: OffersDeps): Offers {
  return {
    async offer(actor, ref) {
      demand(actor, "session.control");
      const { id: session } = await commandStream(log, actor, ref);
      const state = (await log.row<StoredSession>("session", session))?.state;
      const id = state?.workspace_id ?? undefined;
      if (workspaces === undefined || id !== workspaceIdOf(session))
        throw new FairleadError("workspace_unavailable", {
          message: "The session has no workspace of its own.",
          details: { session_id: session },
        });
      // One at a time works in it: whoever drives the session, or this.
      const lease = await log.acquireLease(session, ids.next("attempt"), LEASE_MS);
      if (lease === undefined)
        throw new FairleadError("turn_active", {
          message: "The session runs: pause it first, or wait for its end.",
          details: { session_id: session },
        });
      try {
        const message = state?.title ?? `The work of ${session}`;
        const event = changeArtifact(id, await workspaces.offer({ id, name: session, message }));
        const guard = { epoch: lease.epoch };
        taken(await log.append({ writes: [{ stream: session, events: [event], guard }] }));
        return event.data.artifact as ChangeArtifact;
      } finally {
        await log.releaseLease(lease);
      }
    },
  };
}
