import type { AnyEvent, FaceName, FrontendFrame, RuntimeFrame } from "@fairlead/contract";
import { frontendFrame } from "./frontend.ts";
import { runtimeFrame } from "./runtime.ts";

/** A face turns one event into at most one frame, so that the cursor of every face is the seq. */
export type Face = (event: AnyEvent) => FrontendFrame | RuntimeFrame | null;

export const FACES = {
  frontend: frontendFrame,
  runtime: runtimeFrame,
} as const satisfies Record<FaceName, Face>;
