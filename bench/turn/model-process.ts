// The model, in a process of its own: what it costs is not ours, and not the bare loop's.
import { serveModel } from "../../packages/runtime/src/model-server.ts";
import { SCRIPT } from "./script.ts";

const bodies: unknown[] = [];
let recording = false;
const server = await serveModel({
  script: SCRIPT,
  observe: (_, body) => void (recording && bodies.push(body)),
});
process.on("message", (message: { is: string }) => {
  if (message.is === "record") recording = true;
  if (message.is === "report") {
    recording = false;
    process.send?.({ is: "bodies", bodies: bodies.splice(0) });
  }
});
process.on("disconnect", () => process.exit(0));
process.send?.({ is: "listening", url: server.url });
