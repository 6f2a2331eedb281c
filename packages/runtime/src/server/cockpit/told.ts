import { createHash } from "node:crypto";
import type { CockpitFile } from "./assets.ts";

/** The document with what only this server knows, for a page that is not signed in and so cannot ask. */
export function withLinkCommand(document: CockpitFile, command: string): CockpitFile {
  const meta = `<meta name="link-command" content="${escaped(command)}" />`;
  const identity = Buffer.from(
    document.bodies.identity.toString("utf8").replace("</head>", () => `${meta}</head>`),
  );
  const etag = `"${createHash("sha256").update(identity).digest("base64url").slice(0, 27)}"`;
  return { ...document, etag, bodies: { identity } };
}

function escaped(text: string): string {
  return text.replaceAll(/[&<>"']/g, (sign) => `&#${sign.charCodeAt(0)};`);
}
