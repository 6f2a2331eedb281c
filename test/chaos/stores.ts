/** Where a log can outlive its process. */
export const STORES = ["sqlite", "postgres"] as const;
export type StoreName = (typeof STORES)[number];
