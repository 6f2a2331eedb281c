import type { NewEvent } from "@fairlead/contract";
import type { Appended, EventLog, StreamWrite } from "../../ports/event-log.ts";
import { appendBeside } from "../delegation/append.ts";

/** Said with the rest of a commit, unless somebody else has said it by then: they hold its key. */
export interface Offer {
  readonly key: string;
  readonly event: NewEvent;
  /** Word of it for other sessions. They hear it before what else they are told in this commit. */
  readonly above: readonly StreamWrite[];
}

export interface Offered {
  readonly appended: Appended;
  /** Those that were in time. */
  readonly said: readonly Offer[];
}

/** One commit, with what is offered as its last words. Who was first with one of these does not hold up the rest. */
export async function appendOffered(
  log: Pick<EventLog, "append">,
  own: StreamWrite,
  besides: readonly StreamWrite[],
  keys: readonly string[],
  offers: readonly Offer[],
): Promise<Offered> {
  if (offers.length === 0) return { appended: await appendBeside(log, own, besides, keys), said: offers };
  for (let said = offers; ;) {
    const events = [...own.events, ...said.map(({ event }) => event)];
    const others = [...said.flatMap(({ above }) => above), ...besides];
    const claims = [...keys, ...said.map(({ key }) => key)];
    const appended = await appendBeside(log, { ...own, events }, others, claims);
    if (appended.ok || appended.refusal.code !== "key_taken") return { appended, said };
    const held = appended.refusal.details?.["key"];
    const rest = said.filter(({ key }) => key !== held);
    if (rest.length === said.length) return { appended, said };
    said = rest;
  }
}
