export interface ToolLimits {
  /** More text than this is kept as an artifact, and the model is told its beginning and end. */
  readonly toldChars: number;
  /** Of a result, so many characters of JSON are kept at most. Well below what the log takes as one event. */
  readonly keptChars: number;
  /** Of a text that is too long, how much is told from its beginning and its end. */
  readonly head: number;
  readonly tail: number;
  /** How long a tool that was told to stop is waited for. */
  readonly graceMs: number;
  /** How long a turn waits for a source that is still being reached. */
  readonly readyMs: number;
  /** With more tools than this they are ranked, and so many are offered. */
  readonly offered: number;
}

export const TOOL_LIMITS: ToolLimits = {
  toldChars: 16 * 1024,
  keptChars: 8 * 1024 * 1024,
  head: 6_000,
  tail: 4_000,
  graceMs: 10_000,
  readyMs: 10_000,
  offered: 24,
};
