import { fileURLToPath } from "node:url";
import type { HookDefinition, HookHost, HookRan, HookSaid, LoadedHook } from "../../ports/hook.ts";
import type { Captured, Processes } from "../../ports/processes.ts";
import { type HookPlaces, type Material, materialOf } from "./load.ts";
import type { Program } from "./program.ts";
import { copiesOf, tidy } from "./scratch.ts";

export interface HookHostOptions extends Pick<HookPlaces, "base" | "workspace"> {
  /** All that hooks are given of our environment. */
  readonly env: Readonly<Record<string, string>>;
  /** Gives a directory that no tool reads or writes, nor anybody else: copies are run from there. */
  readonly scratch: () => string;
  readonly processes: Processes;
}

interface RunIn extends HookHostOptions {
  readonly cwd: string;
}

/** Runs the module whose path it is given. */
const CHILD = fileURLToPath(new URL("./module-child.ts", import.meta.url));

/** What is read of an answer. The end is kept too, because errors come last. */
const KEPT = { head: 65_536, tail: 4_096 };
const GRACE_MS = 1_000;

/** Hooks as processes of this machine, each in a group of its own, with everything it starts. */
export function hookHost(options: HookHostOptions): HookHost {
  const { base, workspace, env } = options;
  let tidied: string | undefined;
  const scratch = (): string => {
    if (tidied === undefined) tidy((tidied = options.scratch()));
    return tidied;
  };
  return {
    async load(definition, cwd = workspace) {
      try {
        const material = materialOf(definition, { base, workspace, cwd, path: env["PATH"] });
        return { ok: true, hook: loaded(definition, material, { ...options, scratch, cwd }) };
      } catch (error) {
        return { ok: false, problem: (error as Error).message };
      }
    },
  };
}

function loaded(definition: HookDefinition, material: Material, options: RunIn): LoadedHook {
  const { program, files } = material;
  return {
    ...(program === undefined ? {} : { program: nameOf(program) }),
    files,
    async run(input, signal) {
      try {
        return await run(definition, material, options, input, signal);
      } catch (error) {
        return { kind: "not_started", problem: (error as Error).message };
      }
    },
  };
}

async function run(
  { module, timeout_ms }: HookDefinition,
  { program: named, files, words }: Material,
  { cwd, env, scratch, processes }: RunIn,
  input: string,
  signal: AbortSignal,
): Promise<HookRan> {
  if (signal.aborted) return { kind: "stopped" };
  const copies = copiesOf(files, scratch());
  try {
    const [program = "", ...rest] = words.map((word) =>
      "text" in word ? word.text : (copies.paths[word.file] ?? ""),
    );
    const argv =
      module === undefined ? ([program, ...rest] as const) : ([process.execPath, CHILD, program] as const);
    const late = AbortSignal.timeout(timeout_ms);
    const ran = await processes.run(
      {
        argv: [...argv],
        ...(named === undefined ? {} : { argv0: named.calledAs }),
        cwd,
        env: { ...env, PWD: cwd },
      },
      { signal: AbortSignal.any([signal, late]), graceMs: GRACE_MS, keep: KEPT, input },
    );
    if (ran.stopped)
      return signal.aborted ? { kind: "stopped" } : { kind: "timed_out", stderr: said(ran.stderr) };
    const { code, signal: ended } = ran;
    return { kind: "exited", code, signal: ended, stdout: said(ran.stdout), stderr: said(ran.stderr) };
  } finally {
    copies.remove();
  }
}

/** Both are bound: what is run, and what it is called as. */
function nameOf({ file, calledAs }: Program): string {
  return file === calledAs ? file : `${calledAs} -> ${file}`;
}

function said({ text, dropped }: Captured): HookSaid {
  return { text, whole: dropped === 0 };
}
