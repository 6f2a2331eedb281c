/** What is at the end of a path when every link is followed. */
export interface Place {
  /** Absolute, without symbolic links. What is not there yet is named where it would be. */
  readonly real: string;
  readonly kind: "file" | "directory" | "other" | "nothing";
}

/** Where paths lead, on the machine that the tools run on. */
export interface Places {
  /**
   * Follows every link of an absolute path, also of one to nothing. Undefined where that cannot be told: links in a
   * circle, a directory that may not be read, a file in the place of a directory. Never throws.
   */
  find(path: string): Place | undefined | Promise<Place | undefined>;
}
