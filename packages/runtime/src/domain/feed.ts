import type { AnyEvent, Tier } from "@fairlead/contract";
import { tierOf } from "@fairlead/contract";
import type { StreamInfo } from "../ports/event-log.ts";
import { type Actor, sees } from "./actor.ts";

const everything = (): boolean => true;
const defaultTier = (event: AnyEvent): boolean => tierOf(event.type) === "default";

/** `default` hides what is for debugging; `debug` adds it, so it hides nothing. */
export function tierFilter(tier: Tier | undefined): (event: AnyEvent) => boolean {
  return tier === "default" ? defaultTier : everything;
}

/** Whether the feed of all streams shows this one: broadcasts to everyone, the runtime's own to no one. */
export function inFeed(actor: Actor, info: StreamInfo | undefined): boolean {
  if (info === undefined) return false;
  return info.broadcast || (info.owner === "user" && sees(actor, info));
}
