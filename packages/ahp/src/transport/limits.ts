/** The longest message either side reads. A peer that sends more has lost its framing or its manners. */
export const MAX_MESSAGE_BYTES = 8 * 1024 * 1024;

/** What one peer may have waiting for answers; then it is not read from until some are given. */
export const MAX_HELD_BYTES = 64 * 1024 * 1024;

/** What may wait to be read by a slow peer before the connection is given up. */
export const MAX_BUFFERED_BYTES = 64 * 1024 * 1024;
