import { compilePolicy } from "../domain/policy/compile.ts";
import type { Compiled } from "../domain/policy/compile.ts";
import type { Policy } from "../domain/policy/policy.ts";
import type { Problem } from "../domain/policy/problem.ts";
import { PROBLEMS } from "../domain/policy/problem.ts";
import type { PolicySource } from "../ports/policy-source.ts";

export interface Policies {
  /** The rules in force. A decision takes them once; a change counts from the next decision on. */
  current(): Policy;
  /** Reads the rules now. What is refused changes nothing. */
  reload(): Promise<Compiled>;
  close(): void;
}

export interface PoliciesOptions {
  readonly source: PolicySource;
  /** Other rules are in force. Must not throw. */
  readonly onChanged?: (policy: Policy) => void;
  /** A change was refused; the rules in force stay. Must not throw. */
  readonly onRefused?: (errors: readonly Problem[]) => void;
}

export type OpenedPolicies =
  | { readonly ok: true; readonly policies: Policies }
  | { readonly ok: false; readonly errors: readonly Problem[] };

/**
 * Keeps the rules in force, and changes them with their files: all at once or not at all. Rules that are wrong from
 * the start are refused, because there are none to stay with.
 */
export async function openPolicies({
  source,
  onChanged = () => {},
  onRefused = () => {},
}: PoliciesOptions): Promise<OpenedPolicies> {
  const first = await load(source);
  if (!first.ok) return first;
  let { policy } = first;
  let closed = false;
  let last: Promise<unknown> = Promise.resolve();

  /** One after the other, so that what was read later is what stays. */
  function reload(): Promise<Compiled> {
    const loaded = last.then(() => load(source));
    last = loaded.then((compiled) => {
      if (closed) return;
      if (!compiled.ok) return onRefused(compiled.errors);
      const same = compiled.policy.hash === policy.hash;
      policy = compiled.policy;
      if (!same) onChanged(policy);
    });
    return last.then(() => loaded);
  }

  const stop = source.watch(() => void reload());
  // What changed between reading and watching was noticed by nobody.
  await reload();
  return {
    ok: true,
    policies: {
      current: () => policy,
      reload,
      close() {
        closed = true;
        stop();
      },
    },
  };
}

async function load(source: PolicySource): Promise<Compiled> {
  try {
    const files = await source.read();
    // Somewhere else, or gone: no rules would mean that everything is allowed.
    return files.length === 0 ? unreadable("", "There are no rule files.") : compilePolicy(files);
  } catch (error) {
    const { message, path = "" } = error as NodeJS.ErrnoException;
    return unreadable(path, message);
  }
}

function unreadable(file: string, message: string): Compiled {
  return {
    ok: false,
    errors: [{ file, line: 1, column: 1, code: "not_readable", message, hint: PROBLEMS.not_readable }],
  };
}
