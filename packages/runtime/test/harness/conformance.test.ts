import { join } from "node:path";
import { foreignTarget, runServer } from "@fairlead/ahp/conformance";
import { expect, onTestFinished, test } from "vitest";
import { listen } from "../../src/harness/listen.ts";
import { stand, tempDir } from "./support.ts";

/** Over HTTP a caller has greeted once and for all: a second connection of the same token need not. */
const BY_DESIGN = ["handshake:first"];

test.each(["unix", "http", "websocket"])(
  "the harness keeps the protocol over %s",
  { timeout: 30_000 },
  async (kind) => {
    const place = await stand();
    const { url, tokens } = place.site;
    const path = join(tempDir(), "h.sock");
    const listening = await listen(place.harness, { unix: path, localAgent: "bot" });
    onTestFinished(listening.close);
    const urls: Record<string, string> = {
      unix: `unix:${path}`,
      http: `${url}/ahp`,
      websocket: `${url.replace("http", "ws")}/ahp`,
    };
    const outcomes = await runServer(
      foreignTarget({ url: urls[kind] ?? "", auth: { token: tokens.agent }, isScripted: false }),
    );
    const failed = outcomes.filter(
      ({ status, id }) => status === "fail" && !(kind === "http" && BY_DESIGN.includes(id)),
    );
    expect(failed).toEqual([]);
    expect(outcomes.filter(({ status }) => status === "pass").length).toBeGreaterThan(50);
  },
);
