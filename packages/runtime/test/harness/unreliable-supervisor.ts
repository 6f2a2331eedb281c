import { createServer, type Socket } from "node:net";
import { rmSync } from "node:fs";

// A harness that misbehaves on purpose, as a process of its own: `unreliable-supervisor.ts SOCKET SEED LATE_MS`.
const [path = "", seed = "1", lateMs = "300"] = process.argv.slice(2);

let state = Number(seed);
/** The same numbers in [0, 1) for the same seed. */
function random(): number {
  state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
  return state / 2_147_483_648;
}

type Message = { id: string; method: string; params: { payload?: { tool_name?: string } } };

function result(id: string, value: unknown): string {
  return `${JSON.stringify({ jsonrpc: "2.0", id, result: value })}\n`;
}

/** Longer than any message that is read. */
const OVERSIZED = "x".repeat(20 * 1024 * 1024);
const RM = { tool_name: "rm", arguments: {} };

/** What it thinks when it thinks. Whatever else it says is no word of its own. */
function opinion(tool: string | undefined): unknown {
  return tool === "deploy" ? { decision: "block", reason: "Not by me." } : { decision: "allow" };
}

/** What it does with a question, and how often out of a hundred. */
const MOODS: readonly [number, (socket: Socket, id: string, tool: string | undefined) => void][] = [
  [71, (socket, id, tool) => socket.write(result(id, opinion(tool)))],
  [2, (socket, id) => socket.write(result(id, { decision: "modify", modified_payload: RM }))],
  [3, (socket, id) => socket.write(result(id, { decision: "modify", modified_payload: null }))],
  [2, (socket, id) => socket.write(result(id, { decision: "allow", modified_payload: RM }))],
  [2, (socket, id) => socket.write(result(id, { decision: "allow", reason: OVERSIZED }))],
  [5, () => {}],
  [2, (socket) => socket.write("{{{ no json\n")],
  [1, (socket) => socket.write(Buffer.from([0xff, 0xfe, 0x0a]))],
  [5, (socket, id) => void setTimeout(() => socket.write(result(id, { decision: "allow" })), Number(lateMs))],
  [3, (socket, id) => socket.write(result(id, { decision: "perhaps" }))],
  [2, (socket, id) => socket.write(result(`${id}-other`, { decision: "allow" }))],
  [
    1,
    (socket, id) =>
      socket.write(`${JSON.stringify({ jsonrpc: "2.0", id, error: { code: -32603, message: "Tired." } })}\n`),
  ],
  [1, (socket) => socket.destroy()],
];

function answer(socket: Socket, { id, method, params }: Message): void {
  if (method === "ahp/handshake") {
    const harness_info = { name: "unreliable", version: "1", capabilities: ["pre_action"] };
    socket.write(result(id, { protocol_version: "2.4", harness_info }));
    return;
  }
  let dice = random() * 100;
  for (const [share, act] of MOODS) {
    dice -= share;
    if (dice < 0) return act(socket, id, params.payload?.tool_name);
  }
}

rmSync(path, { force: true });
createServer((socket) => {
  let rest = "";
  socket.on("error", () => {});
  socket.on("data", (chunk) => {
    const lines = (rest + chunk.toString()).split("\n");
    rest = lines.pop() ?? "";
    for (const line of lines) answer(socket, JSON.parse(line) as Message);
  });
}).listen(path, () => process.stdout.write("ready\n"));
