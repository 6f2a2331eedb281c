// One of several equal processes over one PostgreSQL. Its model begins to answer and never ends, so that everything
// it takes up stays in the middle of a turn.
import { createRuntime } from "../../packages/runtime/src/create-runtime.ts";
import { scriptedModel } from "../../packages/runtime/src/models/scripted.ts";

const [url, workspace, background] = process.argv.slice(2) as [string, string, string];
const runtime = await createRuntime({
  store: { postgres: url },
  workspace,
  sealKey: Buffer.alloc(32, 7),
  env: {},
  models: [scriptedModel({ script: { rules: [{ do: [{ say: "One moment." }, { hang: true }] }] } })],
  limits: { background: Number(background), idleMs: 600_000 },
});
await runtime.start();
process.on("disconnect", () => void runtime.stop().then(() => process.exit(0)));
process.send?.({ is: "started" });
