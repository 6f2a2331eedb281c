import { createServer } from "@fairlead/ahp";
import { serveStdio } from "@fairlead/ahp/stdio";

// A harness that greets, and is gone when it is asked.
await serveStdio(createServer({ pre_action: () => process.exit(3) }));
