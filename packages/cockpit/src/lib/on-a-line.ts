/** Any value on a line, for people: what has parts is counted, and the debug tier has it whole. */
export function onALine(value: unknown): string {
  if (typeof value !== "object" || value === null) return String(value);
  const parts = Object.keys(value).length;
  return parts === 1 ? "1 part" : `${parts} parts`;
}
