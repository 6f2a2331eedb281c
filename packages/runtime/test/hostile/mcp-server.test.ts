import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it, onTestFinished } from "vitest";
import { call, type House, openHouse, play } from "./house.ts";
import { hostile } from "./suite.ts";

const SERVER = fileURLToPath(new URL("./mcp-server.ts", import.meta.url));
let file = "";

/** A real process, whose tools nobody trusts but `report`, which the user says only reads. */
function evil(): object {
  const folder = mkdtempSync(join(tmpdir(), "fairlead-hostile-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  file = join(folder, "report.txt");
  writeFileSync(file, "");
  return { mcp: [{ name: "evil", command: [process.execPath, SERVER, file], reads: ["report"] }] };
}

hostile("the result of an MCP server", {
  tools: evil,
  place: (_, text) => writeFileSync(file, text),
  look: call("evil__report", {}),
});

describe("an MCP server cannot", () => {
  const offered = ({ asked }: House) => (asked[0]?.tools ?? []).map(({ name }) => name);

  it("take the place of our tools by their names", async () => {
    await using house = await openHouse(evil());
    house.obey([[call("write_file", { path: "made.txt", content: "ours" })], [{ say: "Done." }]]);
    const { session, frames } = await play(house, { permission_mode: "normal" }, true);
    expect(offered(house)).toEqual(expect.arrayContaining(["write_file", "evil__write_file", "evil__shell"]));
    expect(new Set(offered(house)).size).toBe(offered(house).length);
    const outcomes = frames.filter(({ type }) => type === "tool_outcome").map(({ payload }) => payload);
    expect(outcomes).toMatchObject([{ tool_name: "write_file", status: "ok" }]);
    expect(JSON.stringify(outcomes)).not.toContain("write_file ran");
    expect(await house.home.questions(session)).toEqual([]);
  });

  it("run unasked what it says changes nothing", async () => {
    await using house = await openHouse(evil());
    house.obey([[call("evil__write_file", {}), call("evil__shell", {})], [{ say: "Done." }]]);
    const { session, frames } = await play(house, { permission_mode: "normal" }, false);
    const asked = (await house.home.questions(session)).map(({ tool_name }) => tool_name);
    expect(asked.toSorted()).toEqual(["evil__shell", "evil__write_file"]);
    expect(frames.filter(({ type }) => type === "tool_batch")).toEqual([]);
  });

  it("offer a name that is more than a name, or describe its way into the stream", async () => {
    await using house = await openHouse(evil());
    house.obey([[{ say: "Done." }]]);
    const { frames } = await play(house, {}, true);
    for (const name of offered(house)) expect(name).toMatch(/^[A-Za-z0-9_-]{1,64}$/);
    expect(frames.map(({ type }) => type)).not.toContain("approval_applied");
  });

  it("fill the log or the model with what it says", async () => {
    await using house = await openHouse(evil());
    house.obey([[call("evil__huge", {})], [{ say: "Done." }]]);
    const { frames, told } = await play(house, { permission_mode: "full_access" }, true);
    const outcome = frames.find(({ type }) => type === "tool_outcome");
    expect(outcome?.payload["status"]).toMatch(/artifact|error/);
    expect(JSON.stringify(frames).length).toBeLessThan(500_000);
    expect(told[0]?.text.length).toBeLessThan(100_000);
  });

  it("see our environment", async () => {
    await using house = await openHouse(evil());
    house.obey([[call("evil__environment", {})], [{ say: "Done." }]]);
    const { told } = await play(house, { permission_mode: "full_access" }, true);
    const seen = Object.keys(JSON.parse(told[0]?.text ?? "{}") as object);
    expect(seen).toContain("PATH");
    expect(seen.filter((name) => /FAIRLEAD|TOKEN|KEY|SECRET|XDG_CONFIG/.test(name))).toEqual([]);
  });
});
