/** The only source of delays. Tests let the time pass by hand. */
export interface Timers {
  /** Calls back once, after at least so many milliseconds. Keeps no process alive. Returns how to call it off. */
  after(ms: number, callback: () => void): () => void;
}
