import { expect, test } from "vitest";
import { actor, everything, settle, world } from "../support/world.ts";

const ADA = actor("operator", "ada");

test.each([
  ["pause", "failed"],
  ["approval_request", "parked"],
] as const)("a chat is held to its own budgets: %s", async (action, status) => {
  const w = world();
  const policy = { health: { max_total_tokens: 1, action } };
  const { session_id, state } = await w.services.sessions.create(ADA, { policy });
  expect(state?.metadata).toEqual({ policy });
  await w.services.turns.start(ADA, session_id, { input: "Hello there, how are you?" });
  for (let i = 0; i < 20; i++) await settle();
  const events = await everything(w.log, session_id);
  // No model was asked for more than was allowed.
  expect(events.filter(({ type }) => type === "agent.usage")).toEqual([]);
  expect(events.findLast(({ type }) => type === "runtime.turn.ended")?.data).toMatchObject({ status });
  const { rows } = await w.services.questions.list(ADA, { state: "pending" });
  expect(rows.map(({ tool_name }) => tool_name)).toEqual(status === "parked" ? ["health_policy"] : []);
});

test("a chat whose budget is used up goes on once somebody gives it more, and is held to nothing else", async () => {
  const w = world();
  const policy = { health: { max_total_tokens: 1, action: "pause" as const } };
  const { session_id } = await w.services.sessions.create(ADA, { policy });
  const endOf = async (input: string) => {
    await w.services.turns.start(ADA, session_id, { input });
    for (let i = 0; i < 20; i++) await settle();
    const events = await everything(w.log, session_id);
    return events.findLast(({ type }) => type === "runtime.turn.ended")?.data;
  };
  expect(await endOf("Hello")).toMatchObject({ status: "failed" });
  for (const change of [{ max_retries: 1 }, { health: null, expires_at: null }])
    await expect(w.services.kernel.setPolicy(ADA, session_id, change)).rejects.toMatchObject({
      code: "session_not_background",
    });
  expect(await endOf("Again")).toMatchObject({ status: "failed" });
  const row = await w.services.kernel.setPolicy(ADA, session_id, { health: { max_total_tokens: 1_000_000 } });
  expect(row.state?.metadata).toEqual({
    policy: { health: { max_total_tokens: 1_000_000, action: "pause" } },
  });
  expect(await endOf("And now")).toMatchObject({ status: "completed" });
});
