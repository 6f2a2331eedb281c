import { bridge } from "@fairlead/runtime/harness";
import { type Context, withBackend } from "../command.ts";
import type { ConnectOptions } from "../connect.ts";

/** Carries the protocol from our own input to a server that runs already, with a token of this process's own. */
export async function bridgeToServer(
  context: Context,
  options: ConnectOptions,
  actor: string,
): Promise<void> {
  const { url = "" } = options;
  await withBackend(context, options, {}, async (backend) => {
    const label = `stdio bridge ${process.pid}`;
    const { secret, token } = await backend.createToken({ actor, role: "agent", label });
    try {
      await bridge({
        url: `${url.replace(/^http/, "ws")}/ahp`,
        token: secret,
        input: process.stdin,
        output: process.stdout,
      });
    } finally {
      await backend.revokeToken(token.token_id);
    }
  });
}
