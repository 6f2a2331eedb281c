import { call, isCode } from "../lib/api.ts";
import { createStore } from "../lib/store.ts";
import { forgetDrafts } from "./drafts.ts";
import { me } from "./me.ts";

/** `away`: the server does not answer; `known`: it has, and `me` is who it sees, or null. */
export const identity = createStore<"unknown" | "away" | "known">("unknown");

const RETRY_MS = 2_000;

/** Asks who is signed in, until the server answers. */
export function startIdentity(): void {
  void (async () => {
    for (;;) {
      try {
        me.set(await call("whoAmI"));
        return identity.set("known");
      } catch (error) {
        if (isCode(error, "unauthorized", "forbidden")) return identity.set("known");
        identity.set("away");
        await new Promise((resolve) => setTimeout(resolve, RETRY_MS));
      }
    }
  })();
}

/** Ends the session of this browser, here and on the server. Rejects when the server did not: it is signed in still. */
export async function signOut(): Promise<void> {
  await call("signOut").catch((error: unknown) => {
    if (!isCode(error, "unauthorized")) throw error;
  });
  forgetDrafts();
  signedOut();
}

/** The cookie no longer counts: back to the page that says how to sign in. */
export function signedOut(): void {
  me.set(null);
  identity.set("known");
}
