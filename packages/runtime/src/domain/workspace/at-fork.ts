/** The calls that began last before a fork, as they stood there. */
export interface WaveAt {
  /** Where it is said that they begin to run: nothing of them has happened yet. */
  readonly seq: number;
  /** Whether any of them can change files. */
  readonly writes: boolean;
  readonly ended: number;
  readonly running: number;
}

/** What comes first after the fork: the files were kept, could not be, or it is over and they were as before. */
export type AfterFork = "snapshot" | "unkept" | "over" | "nothing";

export interface FilesAtFork {
  /** The newest snapshot up to the fork, or the first one after it. */
  readonly take: "before" | "after";
  /** How the files may differ from what they were there, for people; null where they do not. */
  readonly note: string | null;
}

/** Files are kept after the calls that changed them are on record: a fork may lie between. */
export function filesAtFork(fork: number, wave: WaveAt | undefined, then: AfterFork): FilesAtFork {
  // What people changed before the turn is kept before its first call that can write.
  if (wave === undefined || !wave.writes)
    return { take: then === "snapshot" ? "after" : "before", note: null };
  if (wave.seq === fork) return { take: "before", note: null };
  if (wave.ended === 0)
    return {
      take: "before",
      note: "A call was running there: the files are as they were before it began.",
    };
  if (then === "snapshot")
    return {
      take: "after",
      note:
        wave.running === 0
          ? null
          : "Other calls were still running there: the files are as they were when all of them had ended.",
    };
  if (then === "over") return { take: "before", note: null };
  return {
    take: "before",
    note: "The files had not been kept since the last calls: what those changed may be missing.",
  };
}
