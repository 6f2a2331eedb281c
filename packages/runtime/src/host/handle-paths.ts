import { existsSync } from "node:fs";

/**
 * Linux gives every open handle a path of its own, which makes `openat` of it, and says what was opened. Elsewhere
 * there is neither, and the check is weaker: what was opened must be what the real path leads to.
 */
export const HANDLE_PATHS = existsSync("/proc/self/fd");
