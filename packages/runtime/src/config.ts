// What the configuration file and the environment say about the runtime itself.
export { loadConfig } from "./host/config-file.ts";
export { workspacesChoice } from "./host/workspaces-config.ts";
export { patternsFrom } from "./host/redact-patterns.ts";
