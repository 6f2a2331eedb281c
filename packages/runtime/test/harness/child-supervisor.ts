import { createServer } from "@fairlead/ahp";
import { serveStdio } from "@fairlead/ahp/stdio";

// A supervisor as a child process. It dies when it is asked to.
const server = createServer({
  pre_action: ({ payload }) => {
    const { tool_name } = payload as { tool_name: string };
    if (tool_name === "die") process.exit(1);
    return tool_name === "curl" ? { decision: "block", reason: "No network." } : { decision: "allow" };
  },
});
await serveStdio(server);
