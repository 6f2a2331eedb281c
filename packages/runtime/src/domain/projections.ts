import type { Projection } from "../ports/projection.ts";
import { questionProjection } from "./question.ts";
import { sessionProjection } from "./session.ts";
import { tokenProjection } from "./token.ts";

/** Every row that is kept beside the log. */
export const PROJECTIONS: readonly Projection[] = [
  sessionProjection,
  questionProjection,
  tokenProjection,
] as readonly Projection[];
