/** The only source of time. Tests set it; SQL takes it as a parameter. */
export interface Clock {
  /** Milliseconds since the epoch. */
  now(): number;
}
