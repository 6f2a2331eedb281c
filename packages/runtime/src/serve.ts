// The runtime over HTTP. Apart from the root, because it loads a web server.
export type { LogLevel } from "./host/logger.ts";
export { LOG_LEVELS, structuredLogger } from "./host/logger.ts";
export type { FairleadServer, SignInLink } from "./server/app.ts";
export { createServer } from "./server/app.ts";
export type { CockpitAssets } from "./server/cockpit/assets.ts";
export { loadCockpit } from "./server/cockpit/load.ts";
export { tokenAuthenticator } from "./server/auth/authenticator.ts";
export type { Logger } from "./server/config.ts";
export { createMetrics, observedLog } from "./server/metrics.ts";
