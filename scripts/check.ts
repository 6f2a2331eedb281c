// All that can be said about the code without running it. One line a check; the output of those that fail.
import { spawn } from "node:child_process";
import { globSync } from "node:fs";

interface Check {
  readonly name: string;
  readonly command: readonly string[];
  /** Looks at the output of a run that ended well; a sentence means that it did not. */
  readonly verdict?: (output: string) => string | undefined;
}

const CHECKS: readonly Check[] = [
  { name: "types", command: ["node", "node_modules/typescript-native/bin/tsc", "-p", "tsconfig.json"] },
  { name: "lint", command: ["oxlint", "--deny-warnings"] },
  { name: "format", command: ["oxfmt", "--check", "."] },
  { name: "layers", command: ["depcruise", "packages", "--output-type", "err"], verdict: modulesSeen },
  { name: "dead code", command: ["knip", "--no-progress"] },
  { name: "reference is fresh", command: ["node", "scripts/generate.ts", "--check"] },
];

/** A layer check that read next to nothing passes for the wrong reason: that has happened. */
function modulesSeen(output: string): string | undefined {
  const seen = Number(/(\d+) modules/.exec(output)?.[1] ?? 0);
  const there = globSync("packages/*/{src,test}/**/*.ts").length;
  return seen < there ? `only ${seen} modules were seen; there are ${there} files` : undefined;
}

function run({ command: [program = "", ...args] }: Check): Promise<{ code: number; output: string }> {
  return new Promise((resolve) => {
    const child = spawn(program, args, {
      stdio: ["ignore", "pipe", "pipe"],
      env: { ...process.env, NO_COLOR: "1" },
    });
    let output = "";
    for (const stream of [child.stdout, child.stderr])
      stream.on("data", (chunk: Buffer) => (output += chunk.toString()));
    child.on("error", (error) => resolve({ code: 1, output: error.message }));
    child.on("close", (code) => resolve({ code: code ?? 1, output }));
  });
}

let failed = 0;
for (const check of CHECKS) {
  const started = performance.now();
  const { code, output } = await run(check);
  const problem = code === 0 ? check.verdict?.(output) : `exit code ${code}`;
  const seconds = ((performance.now() - started) / 1000).toFixed(1);
  console.log(`${problem === undefined ? "ok  " : "FAIL"} ${check.name} (${seconds} s)`);
  if (problem !== undefined) {
    failed += 1;
    console.log(`${output.trim()}\n${problem}\n`);
  }
}
process.exit(failed === 0 ? 0 : 1);
