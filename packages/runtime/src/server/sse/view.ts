import type { AnyEvent, FaceName, Tier } from "@fairlead/contract";
import { tierOf } from "@fairlead/contract";
import type { Positioned } from "../../ports/event-log.ts";

/** How a feed looks to one kind of subscriber. Compared by identity: who shares a view shares its bytes. */
export interface View<Item> {
  readonly face: FaceName;
  readonly event: (item: Item) => AnyEvent;
  /** The cursor after this item: what `id:` says. */
  readonly id: (item: Item) => number;
  readonly shows: (event: AnyEvent) => boolean;
}

const everything = (): boolean => true;
const defaultTier = (event: AnyEvent): boolean => tierOf(event.type) === "default";

/** `default` hides what is for debugging; `debug` adds it, so it hides nothing. */
export function tierFilter(tier: Tier | undefined): (event: AnyEvent) => boolean {
  return tier === "default" ? defaultTier : everything;
}

function sessionView(face: FaceName, tier: Tier): View<AnyEvent> {
  return { face, event: (event) => event, id: (event) => event.seq, shows: tierFilter(tier) };
}

const SESSION_VIEWS: Readonly<Record<FaceName, Readonly<Record<Tier, View<AnyEvent>>>>> = {
  frontend: {
    default: sessionView("frontend", "default"),
    debug: sessionView("frontend", "debug"),
  },
  runtime: { default: sessionView("runtime", "default"), debug: sessionView("runtime", "debug") },
};

/** One stream: the cursor is the seq. */
export function viewOfStream(face: FaceName, tier: Tier | undefined): View<AnyEvent> {
  return SESSION_VIEWS[face][tier ?? "debug"];
}

/** All streams: the cursor is the place in the order of commits. */
export function viewOfAll(
  face: FaceName,
  tier: Tier | undefined,
  visible: (event: AnyEvent) => boolean,
): View<Positioned> {
  const wanted = tierFilter(tier);
  return {
    face,
    event: (item) => item.event,
    id: (item) => item.pos,
    shows: (event) => wanted(event) && visible(event),
  };
}
