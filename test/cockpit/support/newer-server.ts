import { createServer, request } from "node:http";
import type { AddressInfo } from "node:net";
import { Transform } from "node:stream";

export interface NewerServer {
  readonly url: string;
  close(): Promise<void>;
}

/**
 * The same server as one that is newer than the page: on the wire, pages and streams alike, one of its events has a name
 * that the page has never heard of. Everything else passes as it is.
 */
export async function newerServer(behind: string, known: string, unknown: string): Promise<NewerServer> {
  const { hostname, port, host } = new URL(behind);
  const renaming = (): Transform => {
    let rest = "";
    return new Transform({
      transform(chunk: Buffer, _, done) {
        // A name may be cut in two by the end of a chunk: whole lines only, and of a page all of it.
        const text = rest + chunk.toString("utf8");
        const end = text.lastIndexOf("\n") + 1;
        rest = text.slice(end);
        done(null, text.slice(0, end).replaceAll(known, unknown));
      },
      flush: (done) => done(null, rest.replaceAll(known, unknown)),
    });
  };
  const server = createServer((incoming, answer) => {
    // Nor does it know of sockets: a stream that asks for one is asked for once more, without.
    const { upgrade: _upgrade, connection: _connection, ...asSent } = incoming.headers;
    const headers = { ...asSent, host, "accept-encoding": "identity" };
    if (headers.origin !== undefined) headers.origin = behind;
    const asked = request(
      { hostname, port, method: incoming.method, path: incoming.url, headers },
      (reply) => {
        const { "content-length": _, ...rest } = reply.headers;
        const events = /\/events(\/stream)?(\?|$)/.test(incoming.url ?? "");
        answer.writeHead(reply.statusCode ?? 502, events ? rest : reply.headers);
        answer.flushHeaders();
        if (events) reply.pipe(renaming()).pipe(answer);
        else reply.pipe(answer);
        answer.on("close", () => reply.destroy());
      },
    );
    asked.on("error", () => answer.destroy());
    incoming.pipe(asked);
  });
  await new Promise<void>((resolve) => void server.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
