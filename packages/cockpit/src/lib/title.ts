import { visible } from "@fairlead/contract/visible";
import { useEffect } from "react";
import { createStore, useStore } from "./store.ts";

/** How much waits for this person: in front of every title. */
export const waiting = createStore(0);

export function useTitle(title: string): void {
  const count = useStore(waiting);
  useEffect(() => {
    document.title = `${count > 0 ? `(${count}) ` : ""}${visible(title)} · Fairlead`;
  }, [title, count]);
}
