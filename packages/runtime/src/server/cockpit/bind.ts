import { FairleadError } from "@fairlead/contract";
import { PAGES } from "@fairlead/contract/pages";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { PUBLIC } from "../access.ts";
import { routerPath } from "../bind.ts";
import { chooseEncoding, type CockpitAssets, type CockpitFile } from "./assets.ts";

/** Its own files and its own API, and nothing else: no inline script or style, no other place. */
const COCKPIT_POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "connect-src 'self'",
  "img-src 'self' data:",
  "manifest-src 'self'",
  "frame-ancestors 'none'",
  "base-uri 'none'",
  "form-action 'none'",
  "require-trusted-types-for 'script'",
  "trusted-types dompurify",
].join("; ");

/**
 * The web page. It holds nothing that needs a credential, so everyone gets it: what it shows, it asks the API for.
 * Only the addresses in `PAGES` are pages, so that no route is ever hidden by one.
 */
export function bindCockpit(app: FastifyInstance, { document, files }: CockpitAssets): void {
  const config = { name: "cockpit", access: PUBLIC };
  for (const path of Object.values(PAGES)) {
    app.get(routerPath(path), { exposeHeadRoute: true, config }, (request, reply) =>
      sendPage(request, reply, document),
    );
  }
  app.get("/assets/*", { exposeHeadRoute: true, config }, (request, reply) => {
    const file = files.get((request.params as { "*": string })["*"]);
    if (file === undefined) throw new FairleadError("not_found");
    return send(request, reply, file);
  });
}

export function sendPage(request: FastifyRequest, reply: FastifyReply, document: CockpitFile): FastifyReply {
  return send(request, reply.header("content-security-policy", COCKPIT_POLICY), document);
}

function send(request: FastifyRequest, reply: FastifyReply, file: CockpitFile): FastifyReply {
  const encoding = chooseEncoding(request.headers["accept-encoding"], file);
  reply
    .header("cache-control", file.immutable ? "public, max-age=31536000, immutable" : "no-cache")
    .header("etag", file.etag)
    .header("vary", "accept-encoding");
  const known = request.headers["if-none-match"]?.split(",").map((tag) => tag.trim());
  if (known?.includes(file.etag) === true) return reply.code(304).send();
  if (encoding !== "identity") reply.header("content-encoding", encoding);
  return reply.type(file.type).send(file.bodies[encoding] ?? file.bodies.identity);
}
