import { createStore, type MutableStore } from "../lib/store.ts";

/** A choice of this browser, kept in it. */
function kept(key: string): MutableStore<boolean> {
  const store = createStore(localStorage.getItem(key) === "yes");
  return {
    ...store,
    set(next) {
      localStorage.setItem(key, next ? "yes" : "no");
      store.set(next);
    },
  };
}

/** Seed 000's second tier: raw payloads and diagnostics. */
export const debugTier = kept("fairlead.debug");
/** Single letters do nothing: they get in the way of who speaks to the machine, or whose hand shakes. */
export const lettersOff = kept("fairlead.letters-off");
/** Tell through the browser when something needs this person. */
export const notifyMe = kept("fairlead.notify");
/** The tour was seen to its end, or put away. */
export const tourDone = kept("fairlead.tour-done");
