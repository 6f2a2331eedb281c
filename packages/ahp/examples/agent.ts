// An agent that asks before it acts. Ends with 1 unless ls was allowed and rm was not.
import { connect, decideOrBlock } from "@fairlead/ahp";
import { stdio } from "@fairlead/ahp/stdio";

const policy = new URL("policy-server.ts", import.meta.url).pathname;
const harness = stdio({ command: process.execPath, args: [policy] });
const client = await connect(harness, { sessionId: "demo", agentId: "demo-agent" });

async function mayRun(command: string): Promise<boolean> {
  const action = { tool_name: "bash", arguments: { command } };
  const { decision } = await decideOrBlock(client, "pre_action", action);
  console.log(`${command}: ${decision.decision}`);
  return decision.decision === "allow";
}

const verdicts = [await mayRun("ls"), await mayRun("rm -rf /")];
await client.notify("session_end", {});
await client.close();
process.exitCode = verdicts.join() === "true,false" ? 0 : 1;
