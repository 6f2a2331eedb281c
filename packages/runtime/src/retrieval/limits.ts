/** Larger files are data, or made by programs. */
export const FILE_BYTES = 512 * 1024;
/** Entries of a workspace that are looked at. */
export const MOST_ENTRIES = 100_000;
/** Text that is indexed of one workspace: its index takes about twice as much memory. */
export const MOST_CHARS = 32 * 1024 * 1024;
/** Workspaces that are kept indexed. */
export const WORKSPACES = 4;
/** Passages of one file in one answer: others should have their say. */
export const FROM_ONE_FILE = 3;
export const QUERY_TERMS = 64;
export const QUERY_CHARS = 8_000;
