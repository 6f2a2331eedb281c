import { describe, expect, test } from "vitest";
import { call as callIn, cli, makePlace } from "./support.ts";

const COMMANDS = [
  "serve",
  "run",
  "tail",
  "sessions",
  "approvals",
  "verify",
  "policy check",
  "policy test",
  "policy explain",
  "token create",
  "token list",
  "token revoke",
  "link",
  "doctor",
];

const call = (...args: string[]) => callIn(makePlace(), args);

describe("usage", () => {
  test.each(COMMANDS)("`%s` has help with examples that name it", async (name) => {
    const { code, stdout, stderr } = await call(...name.split(" "), "--help");
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
    expect(stdout).toMatch(new RegExp(`Examples:\n.*fairlead ${name}`));
    expect(stdout).toContain("--json");
  });

  test.each([
    [["tail"], "missing required argument"],
    [["serve", "--port", "99999"], "A port is a number"],
    [["token", "create", "--actor", "a", "--role", "king"], "Allowed choices are viewer"],
    [["token", "create", "--actor", "a", "--role", "viewer", "--expires", "soon"], "30d"],
    [["verify", "--data", "x", "--store", "postgres://h/d"], "not both"],
    [["verify", "--store", "mysql://h/d"], "postgres://"],
    [["sessions", "--url", "nowhere"], "not the URL of a server"],
    [["run", " "], "nothing to ask"],
    [["token", "revoke", "flt_secret"], "not the id of a token"],
  ])("%j ends with 2 and says why, as JSON when asked", async (args, why) => {
    const { code, stdout, stderr } = await call(...args, "--json");
    expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
    expect(JSON.parse(stderr)).toEqual({
      code: "usage",
      message: expect.any(String),
      hint: expect.any(String),
    });
    expect(stderr).toContain(why);
    expect(stderr).not.toContain("flt_secret");
  });

  test("an unknown command gets the nearest suggested, and none at all the help", async () => {
    const unknown = await call("sesions");
    expect(unknown).toMatchObject({ code: 2, stdout: "" });
    expect(unknown.stderr).toContain("Did you mean sessions?");
    const none = await call();
    expect(none.code).toBe(2);
    expect(none.stderr).toContain("Usage: fairlead");
  });

  test("the version is told, and nothing is coloured where nobody watches", async () => {
    expect(await call("--version")).toEqual({ code: 0, stdout: "1.2.3\n", stderr: "" });
    const help = await cli(makePlace(), ["doctor", "--port", "0"], { env: { FORCE_COLOR: "1" } });
    expect(help.stdout).not.toContain("\u001b");
  });
});
