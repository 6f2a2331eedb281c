import { createServer } from "@fairlead/ahp";
import { serveStdio } from "@fairlead/ahp/stdio";

// A harness of somebody else's, as a process over its standard input and output. Does what the tool's name asks for, and
// says on its error output what it was told.
const server = createServer({
  pre_action: async ({ payload }) => {
    const { tool_name } = payload as { tool_name: string };
    if (tool_name === "crash") process.exit(3);
    if (tool_name === "hang") await new Promise(() => {});
    if (tool_name === "garbage") process.stdout.write("{{{ no json\n");
    if (tool_name === "garbage") await new Promise(() => {});
    return tool_name === "curl" ? { decision: "block", reason: "No network." } : { decision: "allow" };
  },
  notify: ({ event_type, payload }) =>
    void process.stderr.write(`told ${JSON.stringify([event_type, payload])}\n`),
});
await serveStdio(server);
