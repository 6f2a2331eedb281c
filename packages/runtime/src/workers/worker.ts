/** Something that goes on by itself between start and stop. Keeps no process alive. */
export interface Worker {
  /** Resolves after the first round. Does not reject: what fails is reported and tried again. */
  start(): Promise<void>;
  /** Resolves when nothing of it runs any more. */
  stop(): Promise<void>;
}
