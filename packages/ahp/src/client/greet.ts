import { check } from "../protocol/check.ts";
import { AhpError } from "../protocol/errors.ts";
import type { HandshakeParams } from "../protocol/methods.ts";
import { HandshakeResult } from "../protocol/methods.ts";
import { isCompatible, PROTOCOL_VERSION } from "../protocol/version.ts";
import { writeRequest } from "../rpc/write.ts";
import type { Connection } from "../transport/transport.ts";
import { startDeadline } from "./deadline.ts";
import { askOnce } from "./once.ts";
import type { ClientOptions } from "./options.ts";

/** The handshake on a fresh connection; throws unless the harness speaks our major version. */
export async function greet(
  connection: Connection,
  hello: HandshakeParams,
  { id, timeoutMs, signal }: { id: string; timeoutMs: number; signal: AbortSignal },
): Promise<HandshakeResult> {
  const deadline = startDeadline(timeoutMs, signal);
  try {
    const result = await askOnce(connection, id, writeRequest(id, "ahp/handshake", hello), deadline, true);
    const welcome = check(HandshakeResult, result, "bad_answer", "Invalid handshake answer");
    if (welcome instanceof AhpError) throw welcome;
    if (isCompatible(welcome.protocol_version)) return welcome;
    const message = `The harness speaks ${welcome.protocol_version}, not ${PROTOCOL_VERSION}`;
    throw new AhpError("version_mismatch", message);
  } finally {
    deadline.release();
  }
}

export function helloOf({ sessionId, agentId, agent }: ClientOptions): HandshakeParams {
  return {
    protocol_version: PROTOCOL_VERSION,
    agent_info: {
      framework: agent?.framework ?? "fairlead-ahp",
      version: agent?.version ?? PROTOCOL_VERSION,
      capabilities: agent?.capabilities ?? [],
    },
    session_id: sessionId,
    agent_id: agentId,
  };
}
