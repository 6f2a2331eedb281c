import { SYSTEM_STREAM } from "@fairlead/contract";
import type { Projection } from "../../ports/projection.ts";
import { is } from "../event.ts";

/** What a person trusted under a name. One hash a name: an older version is not trusted beside a newer one. */
export interface HookTrust {
  readonly hook: string;
  /** Null: trusted no more. */
  readonly hash: string | null;
  readonly actor: string;
  readonly at: string;
}

export const hookProjection: Projection<HookTrust> = {
  kind: "hook",
  types: ["runtime.hook.trusted", "runtime.hook.untrusted"],
  key(event) {
    // A session's stream has many writers; trust is only ever said in the installation's own.
    if (event.stream !== SYSTEM_STREAM) return null;
    if (is(event, "runtime.hook.trusted") || is(event, "runtime.hook.untrusted")) return event.data.hook;
    return null;
  },
  evolve(_, event) {
    if (is(event, "runtime.hook.trusted")) {
      const { hook, hash, actor } = event.data;
      return { hook, hash, actor, at: event.at };
    }
    if (!is(event, "runtime.hook.untrusted")) throw new Error(`Event ${event.id} says nothing about a hook.`);
    const { hook, actor } = event.data;
    return { hook, hash: null, actor, at: event.at };
  },
  state: ({ hash }) => (hash === null ? "untrusted" : "trusted"),
  at: ({ at }) => Date.parse(at),
};
