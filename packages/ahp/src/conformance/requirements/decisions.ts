import { family } from "../requirement.ts";
import { DECISIONS } from "../samples/decisions.ts";
import { TRANSPORTS } from "../transports.ts";

export const decisions = family(
  { side: "server", spec: "wire: Decisions", transports: TRANSPORTS, needs: "script" },
  Object.entries(DECISIONS).flatMap(([type, variants]) =>
    Object.keys(variants).map((variant) => ({
      id: `decision:${type}:${variant}`,
      behaviour: `${type} can be answered ${variant.replace("-full", " with every field")}`,
    })),
  ),
);
