/** The question every run asks: a tool call of ordinary size. */
export const PAYLOAD = {
  tool_name: "bash",
  arguments: { command: "cargo test --all-features", cwd: "/workspace/project", timeout_ms: 120_000 },
};

export const WHO = { sessionId: "bench-session", agentId: "bench-agent" };

/** The same message that the client makes. */
export function question(id: string): string {
  return JSON.stringify({
    jsonrpc: "2.0",
    id,
    method: "ahp/event",
    params: {
      event_type: "pre_action",
      session_id: WHO.sessionId,
      agent_id: WHO.agentId,
      timestamp: new Date().toISOString(),
      depth: 0,
      payload: PAYLOAD,
    },
  });
}

/** The same answer that the server makes. */
export function answer(text: string): string {
  const { id } = JSON.parse(text) as { id: string };
  return JSON.stringify({ jsonrpc: "2.0", id, result: { decision: "allow" } });
}
