import type { AnyEvent, FaceName, Tier } from "@fairlead/contract";
import { tierFilter } from "../../domain/feed.ts";
import type { Seen } from "../../services/visibility.ts";

/** How a feed looks to one kind of subscriber. Compared by identity: who shares a view shares its bytes. */
export interface View<Item> {
  readonly face: FaceName;
  readonly event: (item: Item) => AnyEvent;
  /** The cursor after this item: what `id:` says. */
  readonly id: (item: Item) => number;
  readonly shows: (item: Item) => boolean;
  /** Its numbers follow each other: a client that sees a jump must be told that nothing for it lies between. */
  readonly contiguous: boolean;
}

function sessionView(face: FaceName, tier: Tier): View<AnyEvent> {
  return {
    face,
    event: (event) => event,
    id: (event) => event.seq,
    shows: tierFilter(tier),
    contiguous: true,
  };
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

/** All streams: the cursor is the place in the order of commits. One for each reader, who sees what others do not. */
export function viewOfAll(face: FaceName, tier: Tier | undefined, types?: ReadonlySet<string>): View<Seen> {
  const wanted = tierFilter(tier);
  return {
    face,
    event: (item) => item.event,
    id: (item) => item.pos,
    shows: ({ event, visible }) => visible && wanted(event) && (types?.has(event.type) ?? true),
    contiguous: false,
  };
}
