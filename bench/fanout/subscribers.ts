// Holds all connections in one process, on bare sockets, and counts what arrives.
import { connect } from "node:net";
import { preciseNow } from "./publish.ts";

const [target = "", token = "", count = "0", events = "0"] = process.argv.slice(2);
const url = new URL(target);
const SAMPLE = 20;
const latencies: number[] = [];
let delivered = 0;
let connected = 0;

/** Frames are in order and each comes once: anything else does not count. */
function subscribe(index: number): void {
  const socket = connect(Number(url.port), url.hostname, () => {
    socket.write(
      `GET ${url.pathname}${url.search} HTTP/1.1\r\nHost: ${url.host}\r\nAuthorization: Bearer ${token}\r\nAccept: text/event-stream\r\n\r\n`,
    );
  });
  let rest = "";
  let started = false;
  let last = -1;
  socket.setEncoding("latin1");
  socket.on("data", (chunk: string) => {
    if (!started) {
      started = true;
      if (!chunk.startsWith("HTTP/1.1 200")) throw new Error(chunk.slice(0, 300));
      connected += 1;
      if (connected === Number(count)) setTimeout(() => process.send?.({ is: "connected" }), 1_000);
    }
    rest += chunk;
    for (let end = rest.indexOf("\n\n"); end >= 0; end = rest.indexOf("\n\n")) {
      const block = rest.slice(0, end);
      rest = rest.slice(end + 2);
      const at = block.indexOf("id: ");
      if (at < 0 || !block.includes("data: ")) continue;
      const id = Number.parseInt(block.slice(at + 4, at + 20), 10);
      if (last >= 0 && id !== last + 1) throw new Error(`subscriber ${index}: ${id} after ${last}`);
      last = id;
      delivered += 1;
      if (index % SAMPLE === 0)
        latencies.push(preciseNow() - Number.parseFloat(/"text":"([\d.]+)/.exec(block)?.[1] ?? "NaN"));
    }
  });
  socket.on("error", (error) => {
    throw error;
  });
}

for (let i = 0; i < Number(count); i++) subscribe(i);

process.on("message", async (message: { is: string }) => {
  if (message.is !== "finish") return;
  const expected = Number(count) * Number(events);
  for (let waited = 0; delivered < expected && waited < 10_000; waited += 50)
    await new Promise((resolve) => setTimeout(resolve, 50));
  process.send?.({ is: "done", delivered, latencies });
});
