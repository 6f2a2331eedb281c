import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { call, callJson, cli, makePlace, serve } from "./support.ts";

const SECRET = "ACME-123456";
const PATTERN = String.raw`ACME-\d{6}`;

describe("patterns of one's own", () => {
  test("from the configuration and from the environment are redacted, with a server and without", async () => {
    const place = makePlace();
    writeFileSync(join(place.cwd, "fairlead.yaml"), `redact:\n  - '${PATTERN}'\n`);
    const ran = await call(place, ["run", `${SECRET} and hush-hush`], { FAIRLEAD_REDACT: "[hus]+-hush\n\n" });
    expect(ran).toMatchObject({ code: 0, stdout: "Answer to [redacted:custom] and [redacted:custom].\n" });

    await serve(place);
    await call(place, ["run", `${SECRET} again`]);
    const { rows } = await callJson<{ rows: { session_id: string }[] }>(place, ["sessions"]);
    const logs = await Promise.all(
      rows.map(({ session_id }) => call(place, ["tail", session_id, "--json", "--no-follow"])),
    );
    expect(logs).toHaveLength(2);
    for (const { stdout } of logs) {
      expect(stdout).toContain("[redacted:custom]");
      expect(stdout).not.toMatch(/ACME|hush/);
    }
  });

  test("can stand in a file that is named", async () => {
    const place = makePlace();
    writeFileSync(join(place.cwd, "mine.yaml"), `redact: ['${PATTERN}']\n`);
    await serve(place, ["--config", "mine.yaml"]);
    expect((await call(place, ["run", SECRET])).stdout).toBe("Answer to [redacted:custom].\n");
  });

  test.each([
    ["'ok'\n  - '('", ":3:5: redact.1: Invalid regular expression"],
    ["'a*'", ":2:5: redact.0: The pattern a* matches the empty text"],
  ])("%j is refused at start, with its place", async (list, message) => {
    const place = makePlace();
    writeFileSync(join(place.cwd, "fairlead.yaml"), `redact:\n  - ${list}\n`);
    for (const args of [
      ["serve", "--port", "0"],
      ["run", "hello"],
    ]) {
      const refused = await cli(place, [...args, "--json"]);
      expect(refused).toMatchObject({ code: 1, stdout: "" });
      expect(JSON.parse(refused.stderr)).toMatchObject({ message: expect.stringContaining(message) });
    }
    const doctor = await callJson<{ checks: object[] }>(place, ["doctor", "--port", "0"]).catch(String);
    expect(doctor).toContain("ended with 1");
  });

  test("in the environment are refused when they are no patterns", async () => {
    const { code, stderr } = await call(makePlace(), ["run", "hello", "--json"], { FAIRLEAD_REDACT: "(" });
    expect(code).toBe(1);
    expect(JSON.parse(stderr)).toMatchObject({
      message: expect.stringContaining("FAIRLEAD_REDACT: Invalid regular expression"),
      hint: expect.stringContaining("one a line"),
    });
  });
});
