import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { FaultKind } from "../../packages/runtime/src/domain/guard/types.ts";
import type { Tool } from "../../packages/runtime/src/ports/tool.ts";
import type { Arguments, Case, Faulty, Ran } from "./case.ts";
import { recordingTool } from "./case.ts";

const text = { type: "string" };

/** Tools of the kinds that ours are: paths in a workspace, and checks that a schema cannot state. */
function ownTools(ran: Ran[]): readonly Tool[] {
  const tool = (name: string, properties: object, more: Partial<Tool>) =>
    recordingTool(
      {
        name,
        description: name,
        parameters: { type: "object", properties, required: Object.keys(properties) },
      },
      ran,
      more,
    );
  return [
    tool("read_file", { path: text }, { paths: [{ argument: "path", must: "be_file" }] }),
    tool("list_files", { path: text }, { paths: [{ argument: "path", must: "be_directory" }] }),
    tool("write_file", { path: text, content: text }, { paths: [{ argument: "path" }] }),
    tool(
      "get_quote",
      { ticker: text, from: { type: "string", format: "date" }, to: { type: "string", format: "date" } },
      {
        checks: [
          ({ ticker }) =>
            /^[A-Z]{1,5}$/.test(String(ticker))
              ? undefined
              : `"ticker" must be 1 to 5 capitals, such as "ACME".`,
          ({ from, to }) => (String(from) <= String(to) ? undefined : `"from" must not be after "to".`),
        ],
      },
    ),
  ];
}

export interface OwnCases {
  readonly workspace: string;
  readonly cases: readonly (Case & { readonly faults: readonly Faulty[] })[];
  close(): void;
}

/** Calls in a real directory with real links, and what is wrong with each. */
export function ownCases(ran: Ran[]): OwnCases {
  const root = realpathSync(mkdtempSync(join(tmpdir(), "fairlead-guard-")));
  const workspace = join(root, "workspace");
  mkdirSync(join(workspace, "src"), { recursive: true });
  writeFileSync(join(workspace, "src", "a.txt"), "a");
  writeFileSync(join(root, "secret.txt"), "s");
  symlinkSync("src/a.txt", join(workspace, "inside"));
  symlinkSync("../secret.txt", join(workspace, "outside"));
  symlinkSync(root, join(workspace, "up"));
  symlinkSync("../not-yet", join(workspace, "dangling"));
  symlinkSync("circle", join(workspace, "circle"));
  const tools = ownTools(ran);
  const one = (id: string, name: string, args: Arguments, kind: FaultKind, wrong: readonly Arguments[]) => ({
    id: `own#${id}`,
    tools,
    name,
    arguments: args,
    faults: wrong.map((other): Faulty => ({
      kind,
      how: JSON.stringify(other),
      name,
      text: JSON.stringify({ ...args, ...other }),
    })),
  });
  const out = [
    "/etc/passwd",
    "../secret.txt",
    "src/../../secret.txt",
    "outside",
    "up/secret.txt",
    "up/../x",
    "circle",
    "~/x",
    "file:///etc/passwd",
    "C:\\x",
    "a\0b",
    "",
    "dangling",
    join(workspace, "src/a.txt"),
  ].map((path) => ({ path }));
  const quote = { ticker: "ACME", from: "2024-01-01", to: "2024-02-01" };
  return {
    workspace,
    cases: [
      one("read", "read_file", { path: "src/a.txt" }, "path", [
        ...out,
        { path: "src" },
        { path: "src/none.txt" },
        { path: "src/a.txt/x" },
      ]),
      one("read-link", "read_file", { path: "inside" }, "path", []),
      one("read-dots", "read_file", { path: "src/../src/./a.txt" }, "path", []),
      one("list", "list_files", { path: "." }, "path", [...out, { path: "src/a.txt" }, { path: "none" }]),
      one("write", "write_file", { path: "new/b.txt", content: "b" }, "path", out),
      one("quote", "get_quote", quote, "semantic", [
        { ticker: "acme" },
        { ticker: "Acme Corporation" },
        { ticker: "" },
        { from: "2024-03-01" },
        { to: "2023-01-01" },
      ]),
      one("quote-format", "get_quote", quote, "schema", [{ from: "yesterday" }, { to: "2024-02-30" }]),
    ],
    close: () => rmSync(root, { recursive: true, force: true }),
  };
}
