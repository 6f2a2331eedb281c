import { Ajv } from "ajv";
import addFormats from "ajv-formats";
import type { Case } from "./case.ts";

const ajv = new Ajv({ allErrors: true, strict: false });
addFormats.default(ajv);

/**
 * Whether a call fits its tool by a validator that shares nothing with the guard: undefined, or why not. Arguments
 * that the schema does not name are wrong.
 */
export function breaks({ tools, name, arguments: args }: Case): string | undefined {
  const tool = tools.find(({ spec }) => spec.name === name);
  if (tool === undefined) return `there is no tool ${name}`;
  const validate = ajv.compile({ additionalProperties: false, ...tool.spec.parameters });
  return validate(args) ? undefined : ajv.errorsText(validate.errors, { dataVar: name });
}
