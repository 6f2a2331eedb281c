import { z } from "zod";
import { route } from "../define-route.ts";

/** What can drive background work, or could if it were installed. */
export const EngineRow = z.object({
  id: z.string(),
  /** `native` shows every step and call; `bridge` shows state, checkpoints, approvals, artifacts and the final output. Null where it is not here. */
  fidelity: z.enum(["native", "bridge"]).nullable(),
  /** Whether work that waits holds no process. One that cannot is not paused. Null where it is not here. */
  parks: z.boolean().nullable(),
  installed: z.boolean(),
  /** Why it cannot be used here; null when it can. */
  missing: z.string().nullable(),
});
export type EngineRow = z.infer<typeof EngineRow>;

export const ENGINE_ROUTES = {
  listEngines: route({
    method: "GET",
    path: "/engines",
    summary: "List engines",
    doc: "What can drive background work, how much each shows of it, whether it can wait without a process, and whether it is installed here.",
    role: "viewer",
    agents: true,
    status: 200,
    reply: z.object({ engines: z.array(EngineRow) }),
    errors: [],
  }),
};
