import type { Projection } from "../ports/projection.ts";
import { grantProjection } from "./approval/grant.ts";
import { artifactProjection } from "./artifact.ts";
import { dayProjection } from "./budget/day.ts";
import { checkpointProjection } from "./checkpoint.ts";
import { directProjection } from "./direct.ts";
import { healthProjection } from "./health/row.ts";
import { hookProjection } from "./hooks/trust.ts";
import { expiryProjection } from "./kernel/expiry.ts";
import { attentionProjection } from "./inbox/attention.ts";
import { questionProjection } from "./question.ts";
import { sessionProjection } from "./session.ts";
import { subagentProjection } from "./subagent.ts";
import { holdProjection } from "./supervision/hold.ts";
import { tokenProjection } from "./token.ts";
import { wakeProjection } from "./wake.ts";

/** Every row that is kept beside the log. */
export const PROJECTIONS: readonly Projection[] = [
  sessionProjection,
  questionProjection,
  grantProjection,
  tokenProjection,
  holdProjection,
  wakeProjection,
  expiryProjection,
  subagentProjection,
  artifactProjection,
  checkpointProjection,
  attentionProjection,
  hookProjection,
  healthProjection,
  dayProjection,
  directProjection,
] as readonly Projection[];
