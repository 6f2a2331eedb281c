import type { ErrorObject } from "ajv";

const CHOICES = new Set(["anyOf", "oneOf"]);
const SIMPLE = new Set(["type", "enum", "const"]);

/**
 * Errors with those inside a failed choice made one. A choice between plain types and values, such as a number or
 * null, becomes one error that has them all; any other choice is one error with those inside it. A choice between whole
 * sets of arguments is explained by the errors in it.
 */
export function merged(errors: readonly ErrorObject[]): readonly ErrorObject[] {
  const choices = errors.filter(({ keyword, instancePath }) => CHOICES.has(keyword) && instancePath !== "");
  const outermost = choices.filter(
    (choice) => !choices.some((other) => other !== choice && holds(other, choice) && !holds(choice, other)),
  );
  const left = errors.filter(
    (error) => !outermost.some((choice) => holds(choice, error)) && !isExplained(error, errors),
  );
  const seen = new Set<string>();
  const own = outermost.flatMap((choice) => {
    if (seen.has(choice.instancePath)) return [];
    seen.add(choice.instancePath);
    return [
      simplified(
        choice,
        errors.filter((error) => holds(choice, error) && !CHOICES.has(error.keyword)),
      ),
    ];
  });
  return [...left, ...own];
}

function holds(choice: ErrorObject, error: ErrorObject): boolean {
  return (
    error.instancePath === choice.instancePath || error.instancePath.startsWith(`${choice.instancePath}/`)
  );
}

/** Errors that only say that another one was found. */
function isExplained({ keyword, instancePath }: ErrorObject, errors: readonly ErrorObject[]): boolean {
  const pointsOn = keyword === "if" || (CHOICES.has(keyword) && instancePath === "");
  return pointsOn && errors.some((other) => other.keyword !== keyword);
}

function simplified(choice: ErrorObject, inside: readonly ErrorObject[]): ErrorObject {
  const isSimple = inside.every(
    ({ keyword, instancePath }) => SIMPLE.has(keyword) && instancePath === choice.instancePath,
  );
  if (!isSimple) return { ...choice, params: { ...choice.params, inside } };
  if (inside.length === 0) return choice;
  const types = inside.flatMap(({ keyword, params }) => (keyword === "type" ? [params["type"]].flat() : []));
  const values = inside.flatMap(({ keyword, params }) =>
    keyword === "enum" ? params["allowedValues"] : keyword === "const" ? [params["allowedValue"]] : [],
  );
  return values.length === 0
    ? { ...choice, keyword: "type", params: { type: [...new Set(types)] } }
    : { ...choice, keyword: "enum", params: { allowedValues: values, types: [...new Set(types)] } };
}
