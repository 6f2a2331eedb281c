import type { JsonSchema } from "@fairlead/contract";
import type { Options, ValidateFunction } from "ajv";
import { Ajv2019 } from "ajv/dist/2019.js";
import { Ajv2020 } from "ajv/dist/2020.js";
import { isRecord } from "../../is-record.ts";
import { closed } from "./closed.ts";
import { FORMATS } from "./formats.ts";
import { linearPattern } from "./pattern.ts";

/** A schema that can be asked. */
export interface Compiled {
  /** Quick: stops at the first fault. */
  fits(args: unknown): boolean;
  /** Everything that is wrong. */
  errors(args: unknown): NonNullable<ValidateFunction["errors"]>;
}

type Dialect = (schema: JsonSchema) => ValidateFunction;

const quick = dialects({});
const thorough = dialects({ allErrors: true, verbose: true });

/** Throws when the schema cannot be understood: a bad schema, a reference elsewhere, a pattern that could backtrack. */
export function compile(schema: unknown): Compiled {
  if (!isRecord(schema)) throw new Error("it is not an object");
  const all = closed(schema);
  const first = quick(all);
  let full: ValidateFunction | undefined;
  return {
    fits: (args) => first(args) === true,
    errors(args) {
      // Few calls are wrong: what explains them is made when the first one is.
      full ??= thorough(all);
      return full(args) === true ? [] : (full.errors ?? []);
    },
  };
}

/** The newest dialect that reads the schema: older ones write lists of items, and definitions, otherwise. */
function dialects(options: Options): Dialect {
  let newer: Ajv2020 | undefined;
  let older: Ajv2019 | undefined;
  return (schema) => {
    newer ??= new Ajv2020({ ...COMMON, ...options });
    try {
      return compileWith(newer, schema);
    } catch (error) {
      older ??= new Ajv2019({ ...COMMON, ...options });
      try {
        return compileWith(older, schema);
      } catch {
        throw error;
      }
    }
  };
}

const COMMON: Options = {
  strict: false,
  // `1e999` parses, to something that is no number in JSON.
  strictNumbers: true,
  logger: false,
  formats: FORMATS,
  // Names such as `constructor` are arguments like others.
  ownProperties: true,
  // Tools are strangers to each other: one's `$id` is not another's reference.
  addUsedSchema: false,
  code: { regExp: linearPattern },
};

function compileWith(ajv: Ajv2020 | Ajv2019, schema: JsonSchema): ValidateFunction {
  try {
    const validate = ajv.compile(schema);
    // Such a validator answers with a promise, which would pass for true.
    if ("$async" in validate) throw new Error("it is asynchronous");
    return validate;
  } finally {
    // Or every schema there ever was would be kept.
    ajv.removeSchema(schema);
  }
}
