/** The largest file that is read or written as a whole. */
export const FILE_BYTES = 10 * 1024 * 1024;
/** A window of a file: fits in what a model is told, so that reading on is by `offset`, not by artifact. */
export const WINDOW_CHARS = 12_000;
export const WINDOW_LINES = 2_000;
export const LINE_CHARS = 2_000;
export const LISTED = 500;
export const CHUNKS = 100;
export const CHUNK_CHARS = 240;
/** Files above this are not searched. */
export const SEARCHED_BYTES = 2 * 1024 * 1024;
/** Of each output of a command. */
export const OUTPUT_KEPT = { head: 24_000, tail: 40_000 };
export const PAGE_BYTES = 2 * 1024 * 1024;
export const PAGE_CHARS = 100_000;
/** Found by `retrieve`. */
export const PASSAGES = 8;
export const PASSAGES_MOST = 20;
export const TASKS = 200;
