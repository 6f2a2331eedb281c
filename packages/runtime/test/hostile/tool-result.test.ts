import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { onTestFinished } from "vitest";
import { call } from "./house.ts";
import { hostile } from "./suite.ts";

/** A tool of the user's own, whose result somebody else wrote. */
function module(): string {
  const folder = mkdtempSync(join(tmpdir(), "fairlead-hostile-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const file = join(folder, "report.mjs");
  writeFileSync(
    file,
    `import { readFileSync } from "node:fs";
    export default [{
      name: "report", description: "The report", access: "read",
      parameters: { type: "object", properties: {} },
      run: (_, { workspace }) => readFileSync(workspace + "/../../report.txt", "utf8"),
    }];`,
  );
  return file;
}

hostile("the result of a tool", {
  tools: () => ({ modules: [module()] }),
  place: ({ home }, text) => writeFileSync(join(home.workspace, "../../report.txt"), text),
  look: call("report", {}),
});
