import { Artifact } from "@fairlead/ahp";
import { runtimeFact } from "./fields.ts";

/** AHP's artifact. Open: a kind may say more about itself. */
export const artifact = Artifact.loose();

export const ARTIFACT_EVENTS = {
  "runtime.artifact.created": runtimeFact("runtime.artifact.created", "An artifact was created.", {
    artifact,
  }),
};
