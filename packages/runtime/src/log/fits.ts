import { z } from "zod";

/** Whether a value is as a schema has it. */
export type Fits = (value: unknown) => boolean;

const made = new WeakMap<z.core.$ZodType, Fits>();

/**
 * A schema's verdict without its result: made once from the schema's own definition, it copies nothing.
 * True only where parsing succeeds. False may also mean that only parsing can tell, so whoever hears it parses.
 * What is not known here (formats, refinements, transformations, rare kinds) is parsed, that part alone.
 * Not `z.compile`: what it makes is slower on sparse objects read once a turn, and takes milliseconds to make.
 */
export function fitsOf(schema: z.core.$ZodType): Fits {
  const before = made.get(schema);
  if (before !== undefined) return before;
  // A schema that holds itself finds this one inside.
  made.set(schema, parses(schema));
  const fits = make(schema as z.core.$ZodTypes) ?? parses(schema);
  made.set(schema, fits);
  return fits;
}

function parses(schema: z.core.$ZodType): Fits {
  return (value) => z.safeParse(schema, value).success;
}

function make(schema: z.core.$ZodTypes): Fits | undefined {
  const { def } = schema._zod;
  if ("coerce" in def && def.coerce === true) return undefined;
  if (def.type === "string") return text(def);
  if (def.type === "number") return number(def);
  if (def.checks !== undefined && def.checks.length > 0) return undefined;
  switch (def.type) {
    case "unknown":
      return () => true;
    case "boolean":
      return (value) => typeof value === "boolean";
    case "literal":
    case "enum":
      return schema._zod.values && oneOf(schema._zod.values);
    case "nullable":
      return nullable(fitsOf(def.innerType));
    case "optional":
      // An exact one may be left out, and yet takes no undefined.
      return schema._zod.traits.has("$ZodExactOptional") ? undefined : optional(fitsOf(def.innerType));
    case "array":
      return array(fitsOf(def.element));
    case "union":
      // Not where a field chooses, or only one may fit.
      return def.inclusive === false ? undefined : union(def.options.map(fitsOf));
    case "object":
      return object(def);
    default:
      return undefined;
  }
}

function text(def: z.core.$ZodStringDef & { readonly format?: string }): Fits | undefined {
  const [check, ...more] = checksOf(def);
  if (def.format !== undefined || more.length > 0) return undefined;
  if (check === undefined) return (value) => typeof value === "string";
  return check.check === "string_format" && check.format === "regex" && check.pattern !== undefined
    ? matching(check.pattern)
    : undefined;
}

function matching(pattern: RegExp): Fits {
  return (value) => {
    // One that is global or sticky would go on where it was.
    pattern.lastIndex = 0;
    return typeof value === "string" && pattern.test(value);
  };
}

function number(def: z.core.$ZodNumberDef & { readonly format?: string }): Fits | undefined {
  if (def.format !== undefined && def.format !== "safeint") return undefined;
  const isNumber = def.format === undefined ? Number.isFinite : Number.isSafeInteger;
  let least = -Infinity;
  let most = Infinity;
  for (const check of checksOf(def)) {
    if (check.check !== "greater_than" && check.check !== "less_than") return undefined;
    if (!check.inclusive || typeof check.value !== "number") return undefined;
    if (check.check === "greater_than") least = Math.max(least, check.value);
    else most = Math.min(most, check.value);
  }
  return (value) => isNumber(value) && (value as number) >= least && (value as number) <= most;
}

function checksOf(def: z.core.$ZodTypeDef): readonly z.core.$ZodChecks["_zod"]["def"][] {
  return (def.checks ?? []).map((check) => (check as z.core.$ZodChecks)._zod.def);
}

function oneOf(values: ReadonlySet<unknown>): Fits {
  return (value) => values.has(value);
}

function nullable(inner: Fits): Fits {
  return (value) => value === null || inner(value);
}

function optional(inner: Fits): Fits {
  return (value) => value === undefined || inner(value);
}

function array(element: Fits): Fits {
  return (value) => {
    if (!Array.isArray(value)) return false;
    // By index: `every` passes over holes, parsing does not.
    for (let i = 0; i < value.length; i++) if (!element(value[i])) return false;
    return true;
  };
}

function union(options: readonly Fits[]): Fits {
  return (value) => options.some((option) => option(value));
}

function object({ shape, catchall }: z.core.$ZodObjectDef): Fits | undefined {
  const rest = catchall?._zod.def.type;
  if (rest !== undefined && rest !== "never" && rest !== "unknown") return undefined;
  if (Object.getOwnPropertySymbols(shape).length > 0) return undefined;
  const fields = new Map<string, { readonly fits: Fits; readonly needed: boolean }>();
  let needed = 0;
  for (const [key, field] of Object.entries(shape)) {
    // Parsing reads inherited fields too.
    if (key in Object.prototype) return undefined;
    const free = field._zod.optin !== undefined && field._zod.optout === "optional";
    if (!free) needed++;
    fields.set(key, { fits: fitsOf(field), needed: !free });
  }
  // By what the value has, of which there is mostly far less than it may have.
  return (value) => {
    if (typeof value !== "object" || value === null || Array.isArray(value)) return false;
    const prototype: unknown = Object.getPrototypeOf(value);
    if (prototype !== Object.prototype && prototype !== null) return false;
    let seen = 0;
    for (const key of Object.getOwnPropertyNames(value)) {
      const field = fields.get(key);
      if (field === undefined) {
        if (rest === "never") return false;
      } else {
        if (!field.fits((value as Record<string, unknown>)[key])) return false;
        if (field.needed) seen++;
      }
    }
    return seen === needed;
  };
}
