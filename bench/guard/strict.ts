import { Ajv } from "ajv";
import type { Case } from "./case.ts";

const ajv = new Ajv({ allErrors: true, strict: false });
// The only format that the data has.
ajv.addFormat("date", (text) => /^\d{4}-\d\d-\d\d$/.test(text) && isDay(text));

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

function isDay(text: string): boolean {
  const day = new Date(`${text}T00:00:00Z`);
  return !Number.isNaN(day.valueOf()) && day.toISOString().startsWith(text);
}
