import type { OutgoingHttpHeaders } from "node:http";
import { Agent, request as plainRequest } from "node:http";
import { request as secureRequest } from "node:https";

import type { Wire } from "./wire.ts";
import { createInbox } from "./wire.ts";

export interface HttpWireOptions {
  readonly url: string;
  readonly headers?: OutgoingHttpHeaders;
  readonly method?: string;
}

export async function httpWire(options: HttpWireOptions): Promise<Wire> {
  const inbox = createInbox();
  const agent = new Agent({ keepAlive: true });
  const send = options.url.startsWith("https:") ? secureRequest : plainRequest;
  return {
    inbox,
    ended: new Promise(() => {}),
    close: async () => agent.destroy(),
    send(message) {
      const { promise, resolve, reject } = Promise.withResolvers<void>();
      const request = send(options.url, {
        method: options.method ?? "POST",
        agent: options.url.startsWith("https:") ? undefined : agent,
        headers: {
          "content-type": "application/json",
          "content-length": Buffer.byteLength(message),
          ...options.headers,
        },
      });
      request.on("error", reject);
      request.on("response", (response) => {
        const chunks: Buffer[] = [];
        response.on("data", (chunk: Buffer) => chunks.push(chunk));
        response.on("end", () => {
          inbox.statuses.push(response.statusCode ?? 0);
          inbox.headers.push(response.headers);
          if (chunks.length > 0) inbox.put(Buffer.concat(chunks).toString());
          resolve();
        });
      });
      request.end(message);
      return promise;
    },
  };
}
