import assert from "node:assert/strict";

import type { Auth } from "../../auth/credentials.ts";
import type { ServerChecks } from "../check.ts";
import { SECRETS } from "../target.ts";
import type { Trial } from "../trial.ts";
import { greet } from "../trial.ts";

async function letIn({ target }: Trial, shown: Auth): Promise<void> {
  const wire = await target.openGuarded?.(shown);
  assert.ok(wire);
  assert.ok((await greet(wire)).result, "not let in");
  await wire.close();
}

/** Either the connection is refused, or (HTTP) the request is answered 401 and not served. */
async function keptOut({ target }: Trial, shown: Auth | undefined): Promise<void> {
  const wire = await target.openGuarded?.(shown).catch(() => undefined);
  if (wire === undefined) return;
  await wire.send(JSON.stringify({ jsonrpc: "2.0", id: "in", method: "ahp/handshake", params: {} }));
  assert.deepEqual(wire.inbox.statuses, [401]);
  assert.doesNotMatch(wire.inbox.texts.join(), /"result"/);
  await wire.close();
}

export const auth: ServerChecks = {
  "auth:api-key": (trial) => letIn(trial, { apiKey: SECRETS.apiKey }),
  "auth:token": (trial) => letIn(trial, { token: SECRETS.token }),
  "auth:none": (trial) => keptOut(trial, undefined),
  "auth:wrong": async (trial) => {
    for (const wrong of ["", "x", `${SECRETS.apiKey}x`, SECRETS.apiKey.slice(0, -1), "y".repeat(4_000)]) {
      await keptOut(trial, { apiKey: wrong });
      await keptOut(trial, { token: wrong });
    }
  },
  "auth:crossed": async (trial) => {
    await keptOut(trial, { token: SECRETS.apiKey });
    await keptOut(trial, { apiKey: SECRETS.token });
  },
};
