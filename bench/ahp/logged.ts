import { spawn } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { connect } from "@fairlead/ahp";
import { unix } from "@fairlead/ahp/unix";
import { PAYLOAD, WHO } from "./messages.ts";
import type { Side } from "./sides.ts";

const SERVER = fileURLToPath(new URL("logged-server.ts", import.meta.url));

/** A harness that answers only what is durable in its log: SQLite, flushed with each commit. */
export async function openLogged(): Promise<Side> {
  const child = spawn(process.execPath, [SERVER]);
  const { promise, resolve, reject } = Promise.withResolvers<string>();
  child.stderr.on("data", (chunk: Buffer) => {
    const found = /listening (.*)\n/.exec(chunk.toString());
    if (found) resolve(found[1] ?? "");
    else process.stderr.write(chunk);
  });
  child.on("exit", (code) => reject(new Error(`the logged harness ended with ${code}`)));
  const client = await connect(unix({ path: await promise }), WHO);
  return {
    async ask() {
      const { decision } = await client.decide("pre_action", PAYLOAD);
      if (decision !== "allow") throw new Error(`answered with ${decision}`);
    },
    async close() {
      await client.close();
      child.stdin.end();
      if (child.exitCode === null) await once(child, "exit");
    },
  };
}
