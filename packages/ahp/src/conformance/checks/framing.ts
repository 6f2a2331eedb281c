import { http } from "./framing-http.ts";
import { lines } from "./framing-lines.ts";
import { websocket } from "./framing-websocket.ts";
import type { ServerChecks } from "../check.ts";

export const framing: ServerChecks = { ...lines, ...http, ...websocket };
