import type { Role, RouteReply } from "@fairlead/contract";
import { createStore, useStorePart } from "../lib/store.ts";

export type Me = RouteReply<"whoAmI">;

/** Who looks at the page; null until that is known, and when nobody is signed in. */
export const me = createStore<Me | null>(null);

const RANK: Readonly<Record<Role, number>> = { agent: 0, viewer: 0, operator: 1, admin: 2 };

/** Whether questions wait for who looks: a viewer may not decide any. */
export function mayDecide(who: Me | null): boolean {
  return who !== null && RANK[who.role] >= RANK.operator;
}

/** Whether what needs this role is worth showing. The server decides; this only hides what it would refuse. */
export function useMay(role: "operator" | "admin"): boolean {
  return useStorePart(me, (who) => who !== null && RANK[who.role] >= RANK[role]);
}
