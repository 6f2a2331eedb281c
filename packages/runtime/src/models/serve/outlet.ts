import type { ServerResponse } from "node:http";

/** Where an answer goes. Nothing is sent before the first word, so that a fault before it can still be a status. */
export interface Outlet {
  /** The client is gone. */
  readonly gone: AbortSignal;
  readonly begun: boolean;
  /** Kept until `flush` or `end`. */
  write(text: string): void;
  flush(): void;
  end(): void;
  /** Breaks the connection after what was written. */
  cut(): void;
  refuse(status: number, body: unknown, headers?: Readonly<Record<string, string>>): void;
}

export function outletOf(response: ServerResponse, contentType: string): Outlet {
  const gone = new AbortController();
  response.on("close", () => gone.abort());
  let kept = "";
  function head(): void {
    if (response.headersSent) return;
    response.writeHead(200, { "content-type": contentType, "cache-control": "no-store" });
  }
  return {
    gone: gone.signal,
    get begun() {
      return response.headersSent || kept !== "";
    },
    write(text) {
      kept += text;
    },
    flush() {
      if (kept === "") return;
      head();
      response.write(kept);
      kept = "";
    },
    end() {
      head();
      response.end(kept);
    },
    cut() {
      if (kept === "" && !response.headersSent) {
        response.destroy();
        return;
      }
      head();
      // Not at once: what was written must arrive first.
      response.write(kept === "" ? ":\n\n" : kept, () => response.socket?.destroySoon());
    },
    refuse(status, body, headers = {}) {
      response.writeHead(status, { "content-type": "application/json", ...headers });
      response.end(JSON.stringify(body));
    },
  };
}
