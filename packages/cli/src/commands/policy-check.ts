import { compilePolicy } from "@fairlead/runtime/policy";
import type { Context } from "../command.ts";
import { showProblem } from "../policy/excerpt.ts";
import { firstProblem, policyDirectory, readPolicyTexts } from "../policy/files.ts";

export async function check({ host, out }: Context, dir: string | undefined): Promise<number> {
  const directory = policyDirectory(host, dir);
  const { rules } = readPolicyTexts(host, directory);
  const compiled = compilePolicy(rules);
  const files = rules.map(({ path }) => path);
  if (compiled.ok) {
    const { hash, rules: made } = compiled.policy;
    if (out.json) await out.value({ ok: true, directory, files, rules: made.length, hash, errors: [] });
    else
      await out.line(`ok: ${made.length} rules in ${files.length} files of ${directory}\n${out.dim(hash)}`);
    return 0;
  }
  const { errors } = compiled;
  if (out.json) await out.value({ ok: false, directory, files, errors });
  else await out.line(errors.map((problem) => showProblem(out, problem, rules)).join("\n\n"));
  out.error(firstProblem(errors));
  return 1;
}
