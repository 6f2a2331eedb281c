/** What a value is once it was written as JSON and read again; undefined where only that can tell. */
export function asJson(value: unknown): unknown {
  switch (typeof value) {
    case "string":
    case "boolean":
      return value;
    case "number":
      // Also for minus zero, which JSON does not know.
      return Number.isFinite(value) ? value + 0 : null;
    case "object":
      return value === null ? null : Array.isArray(value) ? listAsJson(value) : recordAsJson(value);
    default:
      return undefined;
  }
}

function listAsJson(list: readonly unknown[]): unknown[] | undefined {
  const copy: unknown[] = [];
  for (const item of list) {
    const made = asJson(item);
    if (made === undefined) return undefined;
    copy.push(made);
  }
  return copy;
}

function recordAsJson(record: object): Record<string, unknown> | undefined {
  const prototype: unknown = Object.getPrototypeOf(record);
  if (prototype !== Object.prototype && prototype !== null) return undefined;
  const copy: Record<string, unknown> = {};
  for (const key of Object.keys(record)) {
    const item = (record as Record<string, unknown>)[key];
    if (item === undefined) continue;
    const made = key === "__proto__" || key === "toJSON" ? undefined : asJson(item);
    if (made === undefined) return undefined;
    copy[key] = made;
  }
  return copy;
}
