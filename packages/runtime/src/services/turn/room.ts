import type { SessionId } from "@fairlead/contract";

/** How much background work this process drives at once. */
export interface Room {
  has(): boolean;
  /** Whether there was room for it. */
  take(session: SessionId): boolean;
  leave(session: SessionId): void;
}

/** `crowded` is called when something had to be left for later. */
export function createRoom(most: number, crowded: () => void): Room {
  const inside = new Set<SessionId>();
  const has = () => inside.size < most;
  return {
    has,
    take(session) {
      if (inside.has(session)) return true;
      if (!has()) {
        crowded();
        return false;
      }
      inside.add(session);
      return true;
    },
    leave: (session) => void inside.delete(session),
  };
}
