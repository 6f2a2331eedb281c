import { createHash } from "node:crypto";
import { expect, it } from "vitest";
import { startSite } from "./support.ts";

it.each(["/", "/docs", "/auth/login?code=used"])(
  "%s is shown with its own style, and nothing else may run",
  async (path) => {
    const site = await startSite();
    const answer = await site.call(path, { as: null });
    const style = /<style>([\s\S]*?)<\/style>/.exec(await answer.text())?.[1] ?? "";
    const policy = answer.headers.get("content-security-policy") ?? "";
    expect(style).toContain("--ink");
    expect(policy).toContain(`style-src 'sha256-${createHash("sha256").update(style).digest("base64")}'`);
    expect(policy).toContain("default-src 'none'");
    await site.close();
  },
);
