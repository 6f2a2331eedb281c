import type { Client } from "@fairlead/client";
import type { Cluster } from "./cluster.ts";
import type { Member } from "./member.ts";

/** Somebody who follows every session, at one member until that is gone, and then at another. */
export interface Follower {
  /** The ids of what was delivered, in order. */
  readonly ids: readonly string[];
  /** The lives of members that it was connected to. */
  readonly at: readonly string[];
  /** Resolves once so much was delivered. */
  until(count: number): Promise<void>;
  stop(): Promise<void>;
}

export function follow(cluster: Cluster): Follower {
  const over = new AbortController();
  const ids: string[] = [];
  const at: string[] = [];
  let member: Member | undefined = cluster.members[0];
  let wake = () => {};

  const client: Client = cluster.client(() => {
    if (member?.url() === undefined) member = cluster.members.find((one) => one.url() !== undefined);
    if (member !== undefined) at.push(member.life());
    return member?.url();
  });

  const reading = (async () => {
    // Whoever is frozen says nothing, and is given up soon.
    const frames = client.eventStream({ after: 0, silenceMs: 3_000, signal: over.signal });
    for await (const { frame } of frames) {
      if (!frame.session_id.startsWith("ses_")) continue;
      ids.push(frame.id);
      wake();
    }
  })();

  return {
    ids,
    at,
    until: (count) =>
      Promise.race([
        reading,
        new Promise<void>((resolve) => {
          wake = () => void (ids.length >= count && resolve());
          wake();
        }),
      ]),
    async stop() {
      over.abort();
      await reading;
    },
  };
}
