import type { JsonSchema } from "@fairlead/contract";

/** Where a schema says more about properties than in `properties`. */
const COMBINING = [
  "$ref",
  "$dynamicRef",
  "allOf",
  "anyOf",
  "oneOf",
  "if",
  "dependentSchemas",
  "dependencies",
];

/**
 * The schema of all arguments, with arguments that it does not name refused, unless it speaks of others itself.
 * JSON Schema lets them through, and a model would believe that what it wrote has an effect.
 */
export function closed({ $schema: _, ...schema }: JsonSchema): JsonSchema {
  if (Object.hasOwn(schema, "additionalProperties") || Object.hasOwn(schema, "unevaluatedProperties"))
    return schema;
  const combines = COMBINING.some((keyword) => Object.hasOwn(schema, keyword));
  return { ...schema, [combines ? "unevaluatedProperties" : "additionalProperties"]: false };
}
