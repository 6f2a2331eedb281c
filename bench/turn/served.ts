import { createClient } from "@fairlead/client";
import { startChild } from "./child.ts";

/** A turn as another program makes it: our client, our HTTP API, our SSE. */
export interface Served {
  /** Opens a session and its event stream, and resolves when that is live. */
  session(): Promise<ServedSession>;
  close(): Promise<void>;
}

export interface ServedSession {
  /** Resolves when the client has been told that the turn is over. */
  turn(input: string): Promise<void>;
  close(): void;
}

export async function openServed(modelUrl: string): Promise<Served> {
  const child = startChild("./served-process.ts", modelUrl);
  const { url, token } = await child.hear("listening");
  const client = createClient({ url: String(url), token: String(token) });
  return {
    async session() {
      const { session_id } = await client.call("createChatSession", { body: {} });
      const gone = new AbortController();
      const live = Promise.withResolvers<void>();
      const events = client.eventStream({
        session: session_id,
        after: "latest",
        signal: gone.signal,
        onState: ({ state }) => void (state === "live" && live.resolve()),
      });
      let over = () => {};
      void (async () => {
        for await (const { frame } of events) if (isOver(frame)) over();
      })();
      await live.promise;
      return {
        async turn(input) {
          const ended = new Promise<void>((resolve) => void (over = resolve));
          await client.call("startTurn", { params: { id: session_id }, body: { input } });
          await ended;
        },
        close: () => gone.abort(),
      };
    },
    close: () => child.close(),
  };
}

/** The session's state is the last word of a turn. */
function isOver(frame: { readonly type: string; readonly payload?: unknown }): boolean {
  return frame.type === "session_state" && (frame.payload as { status?: string }).status === "idle";
}
