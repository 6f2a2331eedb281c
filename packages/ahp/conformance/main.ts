import { parseArgs } from "node:util";

import type { Auth } from "../src/auth/credentials.ts";
import { foreignTarget } from "../src/conformance/foreign.ts";
import { observeClient } from "../src/conformance/observe-client.ts";
import type { Report } from "../src/conformance/report.ts";
import { formatReport, isGreen, summarise } from "../src/conformance/report.ts";
import { runReference } from "../src/conformance/run.ts";
import { runServer } from "../src/conformance/run-server.ts";
import { TRANSPORTS } from "../src/conformance/transports.ts";
import type { TransportName } from "../src/conformance/transports.ts";

const HELP = `Agent Harness Protocol 2.4: conformance

  npm run conformance                          our client, harness and transports, and every mutant
  npm run conformance -- --url URL             a foreign harness (http, https, ws, wss, unix:/path)
  npm run conformance -- --command "CMD"       a foreign harness on stdio
  npm run conformance -- --client-command "CMD" [--transport http|websocket|unix]
                                               a foreign client: it finds the harness in AHP_URL, asks
                                               for a pre_action, and ends with 0 exactly when every
                                               question got a valid answer
  --api-key KEY, --token TOKEN                 credential for --url
  --scripted                                   the foreign harness follows the script convention
  --max-message-bytes N                        the foreign harness's limit, if it has one
  --json                                       the report as JSON
  --help                                       this text

Ends with 0 when every requirement that applies is met.`;

const { values } = parseArgs({
  options: {
    url: { type: "string" },
    command: { type: "string" },
    "client-command": { type: "string" },
    transport: { type: "string", default: "http" },
    "api-key": { type: "string" },
    token: { type: "string" },
    scripted: { type: "boolean", default: false },
    "max-message-bytes": { type: "string" },
    json: { type: "boolean", default: false },
    help: { type: "boolean", default: false },
  },
});

function authOf({ "api-key": apiKey, token }: typeof values): Auth | undefined {
  if (apiKey !== undefined) return { apiKey };
  return token === undefined ? undefined : { token };
}

async function run(): Promise<Report> {
  const { url, command, "client-command": clientCommand, transport, scripted } = values;
  if (clientCommand !== undefined) {
    if (!TRANSPORTS.includes(transport as TransportName) || ["in-process", "stdio"].includes(transport)) {
      throw new Error(`--transport must be http, websocket or unix, not ${transport}`);
    }
    return { outcomes: await observeClient(transport as TransportName, clientCommand), mutants: [] };
  }
  if (url === undefined && command === undefined) return runReference();
  const limit = values["max-message-bytes"];
  const target = foreignTarget({
    url,
    command,
    auth: authOf(values),
    isScripted: scripted,
    maxMessageBytes: limit === undefined ? undefined : Number(limit),
  });
  return { outcomes: await runServer(target), mutants: [] };
}

if (values.help) {
  console.log(HELP);
} else {
  const report = await run();
  const isForeign = values.url !== undefined || values.command !== undefined;
  const summary = summarise(report, isForeign);
  console.log(values.json ? JSON.stringify({ ...report, summary }) : formatReport(report, summary));
  process.exitCode = isGreen(summary) ? 0 : 1;
}
