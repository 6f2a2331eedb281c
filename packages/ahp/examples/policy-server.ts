// A harness on stdio: lets an agent do anything but delete. Ends with 1 if nobody asked.
import { actionOf, createServer } from "@fairlead/ahp";
import { serveStdio } from "@fairlead/ahp/stdio";

let asked = 0;

const server = createServer({
  pre_action: ({ payload }) => {
    asked += 1;
    const { toolName, arguments: args } = actionOf(payload);
    const isDelete = toolName === "bash" && /\brm\b/.test(String(args["command"]));
    return isDelete ? { decision: "block", reason: "Nothing is deleted here." } : { decision: "allow" };
  },
  notify: ({ event_type, session_id }) => console.error(`${session_id}: ${event_type}`),
});

await serveStdio(server);
process.exitCode = asked > 0 ? 0 : 1;
