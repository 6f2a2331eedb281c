import { describe, expect, test } from "vitest";
import { call as callIn, cli, makePlace } from "./support.ts";

const COMMANDS = [
  "serve",
  "run",
  "tail",
  "sessions",
  "approvals",
  "approvals show",
  "approvals patterns",
  "approvals revoke",
  "approve",
  "deny",
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

  test("help and hints say how it is called here, and each command's own help", async () => {
    const said = (args: readonly string[]) => callIn(makePlace(), args, {}, "npm run fairlead --");
    const help = await said(["run", "--help"]);
    expect(help.stdout).toContain("Usage: npm run fairlead -- run");
    expect(help.stdout).toContain("$ git diff | npm run fairlead -- run - --title review");
    expect(help.stdout).not.toMatch(/[$`] ?fairlead/);
    expect((await said(["approve", "--help"])).stdout).toContain("`npm run fairlead -- approvals`");
    expect((await said(["serve", "--help"])).stdout).not.toContain("default: []");
    expect((await said(["tail"])).stderr).toContain("See `npm run fairlead -- tail --help`.");
    expect((await said(["token", "revoke", "x"])).stderr).toContain(
      "See `npm run fairlead -- token revoke --help`.",
    );
    expect((await said(["sesions"])).stderr).toContain("See `npm run fairlead -- --help`.");
  });

  test("errors of the runtime are told in commands, not in routes", async () => {
    const place = makePlace();
    await callIn(place, ["token", "create", "--actor", "a", "--role", "viewer"]);
    const hint = async (...args: string[]) => {
      const { stderr } = await callIn(place, [...args, "--json"]);
      return (JSON.parse(stderr) as { hint: string }).hint;
    };
    expect(await hint("tail", "ses_zzz")).toContain("`fairlead sessions`");
    expect(await hint("token", "revoke", "tok_zzz")).toContain("`fairlead token list --all`");
    expect(await hint("approve", "apr_zzz")).toContain("`fairlead approvals --state all`");
    expect(await hint("token", "create", "--actor", "system", "--role", "viewer")).toBe(
      "See `fairlead token create --help`.",
    );
  });

  test("the version is told, and nothing is coloured where nobody watches", async () => {
    expect(await call("--version")).toEqual({ code: 0, stdout: "1.2.3\n", stderr: "" });
    const help = await cli(makePlace(), ["doctor", "--port", "0"], { env: { FORCE_COLOR: "1" } });
    expect(help.stdout).not.toContain("\u001b");
  });
});
