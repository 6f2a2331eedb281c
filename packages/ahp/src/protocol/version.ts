export const PROTOCOL_VERSION = "2.4";

/** The leading number of a version, or null when there is none. */
function majorOf(version: string): number | null {
  const digits = /^(\d{1,9})(?:\.|$)/.exec(version)?.[1];
  return digits === undefined ? null : Number(digits);
}

/** Peers agree when the major version does; any minor version is welcome. */
export function isCompatible(version: string): boolean {
  return majorOf(version) === majorOf(PROTOCOL_VERSION);
}
