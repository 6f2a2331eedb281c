// Drives work that asks somebody, and whose time is then over: killed in the commit in which it ends.
import type { SessionId, SessionStatus } from "@fairlead/contract";
import type { Runtime } from "../../src/create-runtime.ts";
import { playUntilKilled } from "../crash/killing.ts";
import { until } from "../crash/tool-kill-scene.ts";
import { ADMIN } from "../support/world.ts";
import { openKernel } from "./kill-scene.ts";

const reached = ({ services }: Runtime, session: SessionId, wanted: SessionStatus) =>
  until(
    () => services.sessions.get(ADMIN, session),
    ({ status }) => status === wanted,
  );

await playUntilKilled({
  open: openKernel,
  async toItsEnd(runtime, session) {
    await reached(runtime, session, "awaiting_approval");
    await runtime.services.kernel.setPolicy(ADMIN, session, { expires_at: "2020-01-01T00:00:00Z" });
    await reached(runtime, session, "failed");
  },
});
