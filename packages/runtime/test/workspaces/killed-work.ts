import { join } from "node:path";
import { createRuntime, type Runtime } from "../../src/create-runtime.ts";
import type { Step } from "../../src/models/script.ts";
import { scriptedModel } from "../../src/models/scripted.ts";

const put = (path: string, content: string): Step => ({ call: "write_file", with: { path, content } });

const CHATS = {
  files: 1_000,
  totalBytes: 1_000_000,
  patienceMs: 60_000,
  storeBytes: 10_000_000,
  keepMs: 3_600_000,
};

/** What writes two files, one after the other, and is done. Its leases run out soon, so that others go on soon. */
export function workRuntime(project: string, home: string): Promise<Runtime> {
  const rounds = [[put("one.txt", "1")], [put("two.txt", "2")], [{ say: "Done." }]];
  return createRuntime({
    store: { sqlite: join(home, "data") },
    workspace: project,
    sealKey: Buffer.alloc(32, 7),
    limits: { leaseMs: 300 },
    workspaces: { isolate: "background", keepMs: 3_600_000, chats: CHATS },
    models: [scriptedModel({ script: { rules: [{ rounds }] } })],
    env: {
      PATH: process.env["PATH"],
      HOME: home,
      XDG_CONFIG_HOME: join(home, "config"),
      XDG_STATE_HOME: join(home, "state"),
    },
  });
}
