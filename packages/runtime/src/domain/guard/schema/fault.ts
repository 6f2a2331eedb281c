import type { ErrorObject } from "ajv";
import { isRecord } from "../../is-record.ts";
import { nearest } from "../distance.ts";
import type { SchemaFault } from "../types.ts";
import { argumentAt, listed, pointerTo, shown, typesInWords } from "../words.ts";

export interface MaybeFault extends SchemaFault {
  /** Only worth telling when there is nothing else. */
  readonly unsure?: boolean;
}

/** Of why a value fits no form. */
const MOST_REASONS = 3;

/** One error of the validator in words: which argument, what came, what would be right. */
export function fault(error: ErrorObject): MaybeFault {
  const { keyword, params, instancePath: at } = error;
  if (keyword === "required" || "missingProperty" in params) return missing(error);
  if (keyword === "additionalProperties") return extra(error, params["additionalProperty"]);
  if (keyword === "unevaluatedProperties")
    return { ...extra(error, params["unevaluatedProperty"]), unsure: true };
  if (keyword === "type") {
    const types = [params["type"]].flat() as string[];
    return { ...wrong("type", error, `must be ${typesInWords(types)}`), wants: { types } };
  }
  if (keyword === "enum" || keyword === "const") return notAllowed(error);
  if (keyword === "anyOf" || (keyword === "oneOf" && params["passingSchemas"] === null)) return noForm(error);
  if (keyword === "false schema") return wrong("schema", error, "is not allowed here");
  if (keyword === "propertyNames")
    return {
      kind: "schema",
      at,
      error: `${argumentAt(at)} has a key that is not allowed: ${shown(params["propertyName"])}.`,
    };
  return wrong("schema", error, error.message ?? `breaks the rule ${keyword}`);
}

function wrong(
  kind: SchemaFault["kind"],
  { instancePath: at, data }: ErrorObject,
  rule: string,
): SchemaFault {
  const came = at === "" ? "" : `, but ${shown(data)} came`;
  return { kind, at, error: `${argumentAt(at)} ${rule}${came}.` };
}

function missing({ instancePath, params, parentSchema }: ErrorObject): SchemaFault {
  const key = String(params["missingProperty"]);
  const at = pointerTo(instancePath, key);
  const wanted = propertyOf(parentSchema, key);
  const types = isRecord(wanted) && wanted["type"] !== undefined ? [wanted["type"]].flat() : [];
  const values = isRecord(wanted) && Array.isArray(wanted["enum"]) ? wanted["enum"] : [];
  const must =
    values.length > 0
      ? `, one of ${listed(values.map(shown))}`
      : types.length > 0
        ? `, ${typesInWords(types.map(String))}`
        : "";
  return { kind: "missing", at, error: `${argumentAt(at)} is missing: it is required${must}.` };
}

function extra({ instancePath, parentSchema }: ErrorObject, name: unknown): SchemaFault {
  const key = String(name);
  const known =
    isRecord(parentSchema) && isRecord(parentSchema["properties"])
      ? Object.keys(parentSchema["properties"])
      : [];
  const meant = nearest(key, known);
  const hint =
    meant !== undefined
      ? `Did you mean ${JSON.stringify(meant)}?`
      : known.length > 0
        ? `Allowed are ${listed(
            known.map((one) => JSON.stringify(one)),
            "and",
          )}.`
        : "Leave it out.";
  const at = pointerTo(instancePath, key);
  return { kind: "extra", at, error: `${argumentAt(at)} is not an argument here. ${hint}` };
}

function notAllowed(error: ErrorObject): SchemaFault {
  const { keyword, params, data } = error;
  const values: readonly unknown[] = keyword === "const" ? [params["allowedValue"]] : params["allowedValues"];
  const types = (params["types"] ?? []) as readonly string[];
  const texts = values.filter((value) => typeof value === "string");
  const meant = typeof data === "string" ? nearest(data, texts) : undefined;
  const choice = [...values.map(shown), ...(types.length > 0 ? [typesInWords(types)] : [])];
  const said = wrong("enum", error, `must be ${choice.length > 1 ? "one of " : ""}${listed(choice)}`);
  return {
    ...said,
    error: meant === undefined ? said.error : `${said.error} Did you mean ${shown(meant)}?`,
    wants: { values, types },
  };
}

function propertyOf(schema: unknown, key: string): unknown {
  const properties = isRecord(schema) ? schema["properties"] : undefined;
  return isRecord(properties) && Object.hasOwn(properties, key) ? properties[key] : undefined;
}

function noForm(error: ErrorObject): SchemaFault {
  const { schema, params } = error;
  const forms = Array.isArray(schema) ? `none of its ${schema.length} allowed forms` : "no allowed form";
  const said = wrong("schema", error, `fits ${forms}`);
  const inside = (params["inside"] ?? []) as readonly ErrorObject[];
  const why = new Set(inside.map((one) => fault(one).error));
  return { ...said, error: [said.error, ...[...why].slice(0, MOST_REASONS)].join(" ") };
}
