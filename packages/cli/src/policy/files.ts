import { existsSync, readFileSync } from "node:fs";
import { relative, resolve } from "node:path";
import { loadConfig } from "@fairlead/runtime/harness";
import {
  compilePolicy,
  DEFAULT_POLICIES,
  isCaseFile,
  isRuleFile,
  policyPaths,
  type Policy,
  type Problem,
  type SourceText,
} from "@fairlead/runtime/policy";
import { Failure } from "../failure.ts";
import type { Host } from "../host.ts";

/** The directory that was named, else the configured one, else `policies` here, else the rules that come along. */
export function policyDirectory(host: Host, given: string | undefined): string {
  if (given !== undefined) return resolve(host.cwd, given);
  const configured = loadConfig({ cwd: host.cwd }).policies;
  if (configured !== undefined) return configured;
  const here = resolve(host.cwd, "policies");
  return existsSync(here) ? here : DEFAULT_POLICIES;
}

export interface PolicyTexts {
  readonly rules: readonly SourceText[];
  readonly cases: readonly SourceText[];
}

/** The files of a directory, named as they are seen from here. */
export function readPolicyTexts(host: Host, directory: string): PolicyTexts {
  const read = (path: string): SourceText => {
    const way = relative(host.cwd, path);
    return { path: way.startsWith("..") ? path : way, text: readFileSync(path, "utf8") };
  };
  const hint = "Name a directory with rule files in it.";
  let texts: PolicyTexts;
  try {
    texts = {
      rules: policyPaths([directory], isRuleFile).map(read),
      cases: policyPaths([directory], isCaseFile).map(read),
    };
  } catch (cause) {
    throw new Failure("config", `The rules cannot be read: ${(cause as Error).message}`, { hint, cause });
  }
  if (texts.rules.length === 0)
    throw new Failure("config", `There are no rule files in ${directory}.`, { hint });
  return texts;
}

/** The rules, or a Failure that says where the first problem is. */
export function compiledRules({ rules }: PolicyTexts): Policy {
  const compiled = compilePolicy(rules);
  if (compiled.ok) return compiled.policy;
  throw firstProblem(compiled.errors);
}

export function firstProblem(errors: readonly Problem[]): Failure {
  const [first] = errors;
  const more = errors.length > 1 ? ` And ${errors.length - 1} more.` : "";
  return new Failure("config", `${first?.file}:${first?.line}:${first?.column}: ${first?.message}${more}`, {
    hint: first?.hint ?? "",
  });
}
