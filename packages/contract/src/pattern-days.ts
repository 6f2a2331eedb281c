/** How long a saved pattern lasts when nobody says. */
export const PATTERN_DAYS = 30;
