const DEEPEST = 64;
/** Beyond this an array or object is cut: garbage must not take the process with it. */
const MOST_VALUES = 200_000;

/**
 * The nearest JSON of whatever a tool returned: cycles, functions, bigints and throwing getters become text that
 * says so. Never throws.
 */
export function toJson(value: unknown): unknown {
  const plain = plainJson(value);
  return plain === undefined ? mend(value, new Set(), { left: MOST_VALUES }, 0) : plain.value;
}

/** Most results are JSON already. */
function plainJson(value: unknown): { readonly value: unknown } | undefined {
  if (value === undefined) return { value: null };
  try {
    const text = JSON.stringify(value, (_, item: unknown) => {
      if (typeof item === "function" || typeof item === "symbol" || typeof item === "bigint")
        throw new TypeError("not JSON");
      return item;
    });
    return { value: JSON.parse(text) as unknown };
  } catch {
    return undefined;
  }
}

function mend(value: unknown, above: Set<object>, budget: { left: number }, depth: number): unknown {
  if (budget.left-- <= 0) return "[left out: too large]";
  switch (typeof value) {
    case "string":
    case "boolean":
      return value;
    case "number":
      return Number.isFinite(value) ? value : null;
    case "bigint":
      return value.toString();
    case "undefined":
      return null;
    case "function":
    case "symbol":
      return `[${typeof value}]`;
    default:
      break;
  }
  if (value === null) return null;
  const object = value as object;
  if (above.has(object)) return "[cycle]";
  if (depth >= DEEPEST) return "[left out: too deep]";
  above.add(object);
  try {
    if (Array.isArray(object)) return object.map((item) => mend(item, above, budget, depth + 1));
    return Object.fromEntries(
      Object.keys(object).map((key) => [key, mend(get(object, key), above, budget, depth + 1)]),
    );
  } catch {
    return "[unreadable]";
  } finally {
    above.delete(object);
  }
}

function get(object: object, key: string): unknown {
  try {
    return (object as Record<string, unknown>)[key];
  } catch {
    return "[unreadable]";
  }
}
