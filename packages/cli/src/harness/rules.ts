import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { compilePolicy, type Policy } from "@fairlead/runtime/policy";
import { Failure } from "../failure.ts";

/** The rules of a directory. Throws a Failure that says where the first problem is. */
export function rulesIn(directory: string): Policy {
  let files: { path: string; text: string }[];
  try {
    const names = readdirSync(directory).filter(
      (name) => /\.ya?ml$/.test(name) && !/\.test\.ya?ml$/.test(name),
    );
    files = names.toSorted().map((name) => {
      const path = join(directory, name);
      return { path, text: readFileSync(path, "utf8") };
    });
  } catch (error) {
    throw new Failure("config", `The rules cannot be read: ${(error as Error).message}.`, { cause: error });
  }
  const compiled = compilePolicy(files);
  if (compiled.ok) return compiled.policy;
  const [first] = compiled.errors;
  throw new Failure("config", `${first?.file}:${first?.line}:${first?.column}: ${first?.message}`, {
    hint: first?.hint ?? "",
  });
}
