import { mkdtempSync, rmSync } from "node:fs";
import { homedir, tmpdir } from "node:os";
import { join } from "node:path";
import { createRuntime } from "@fairlead/runtime";
import { listen, loadConfig, openHarness, openSupervision } from "@fairlead/runtime/harness";
import { compilePolicy } from "@fairlead/runtime/policy";

/** Runs as a child process: a harness whose every decision is in a log on disk; tells where it listens on stderr. */
const dir = mkdtempSync(join(tmpdir(), "fairlead-bench-"));
const RULES = `
rules:
  - id: no-force-push
    on: [pre_action]
    when: event.payload.arguments.command.contains("push --force")
    decide: block
    reason: Nobody rewrites history here.
`;
const compiled = compilePolicy([{ path: "bench.yaml", text: RULES }]);
if (!compiled.ok) throw new Error(JSON.stringify(compiled.errors));
const { policy } = compiled;
const runtime = await createRuntime({ store: { sqlite: join(dir, "data") }, sealKey: Buffer.alloc(32, 1) });
const config = loadConfig({ cwd: dir });
const report = (error: unknown) => console.error(error);
const supervision = await openSupervision(
  { ...runtime, report },
  {
    config,
    policy: () => policy,
    version: "bench",
    env: {},
    workspace: dir,
    home: homedir(),
    controls: [],
    warn: (text) => console.error(text),
  },
);
const harness = openHarness({ runtime, config, supervision, version: "bench", report });
const { unix, close } = await listen(harness, { unix: join(dir, "harness.sock"), localAgent: "bench" });
process.stderr.write(`listening ${unix}\n`);
process.stdin.resume();
process.stdin.on("end", async () => {
  await close();
  await harness.stop();
  await supervision.close();
  await runtime.stop();
  rmSync(dir, { recursive: true, force: true });
  process.exit(0);
});
