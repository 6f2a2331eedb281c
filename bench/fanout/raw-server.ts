// The floor: node:http and nothing else. One string a frame, one write a subscriber.
import { type ServerResponse, createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { publishOnDemand } from "./publish.ts";

const subscribers = new Set<ServerResponse>();
let seq = 0;

const server = createServer((_, response) => {
  response.writeHead(200, { "content-type": "text/event-stream", "cache-control": "no-store" });
  response.flushHeaders();
  subscribers.add(response);
  response.on("close", () => subscribers.delete(response));
});

server.listen(0, "127.0.0.1", () => {
  const { port } = server.address() as AddressInfo;
  process.send?.({ is: "listening", url: `http://127.0.0.1:${port}/`, token: "none" });
});

publishOnDemand((text) => {
  seq += 1;
  const frame = {
    type: "token",
    payload: { text },
    id: "evt_01k5m2q8x4h7zc9v3b6n0wd1ra",
    seq,
    session_id: "ses_01k5m2q8x4h7zc9v3b6n0wd1ra",
    at: new Date().toISOString(),
    tier: "default",
  };
  const block = `id: ${seq}\ndata: ${JSON.stringify(frame)}\n\n`;
  for (const response of subscribers) response.write(block);
});
