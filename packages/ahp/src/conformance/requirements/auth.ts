import { family } from "../requirement.ts";
import { GUARDED } from "../transports.ts";

export const auth = family(
  { side: "server", spec: "wire: Framing, auth", transports: GUARDED, needs: "auth" },
  [
    { id: "auth:api-key", behaviour: "the right API key is let in" },
    { id: "auth:token", behaviour: "the right bearer token is let in" },
    { id: "auth:none", behaviour: "no credential is not let in" },
    { id: "auth:wrong", behaviour: "a wrong one, of any length, is not let in" },
    { id: "auth:crossed", behaviour: "an API key shown as a token is not let in" },
  ],
);
