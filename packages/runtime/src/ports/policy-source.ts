export interface PolicyText {
  /** For messages, and the order in which files count. */
  readonly path: string;
  readonly text: string;
}

/** Where rule files come from. */
export interface PolicySource {
  /** All rule files as they are at one moment. Rejects when they cannot be read. */
  read(): Promise<readonly PolicyText[]>;
  /** Calls back once a change has settled; several changes may make one call. Keeps no process alive. Returns how to stop. */
  watch(changed: () => void): () => void;
}
