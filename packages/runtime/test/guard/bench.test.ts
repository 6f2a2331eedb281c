import { spawnSync } from "node:child_process";
import { tmpdir } from "node:os";
import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";
import type { Answer, Question } from "../../../../bench/guard/bfcl.ts";
import { FAULT_KINDS } from "../../src/domain/guard/types.ts";
import { tally } from "../../../../bench/guard/tally.ts";

/** The shapes that the data has, in a few lines: types of Python, nested values, arguments that may be left out. */
const questions: Question[] = [
  {
    id: "one",
    function: [
      {
        name: "area.of_triangle",
        description: "",
        parameters: {
          type: "dict",
          properties: {
            base: { type: "integer" },
            height: { type: "float" },
            unit: { type: "string", enum: ["cm", "inch"], default: "cm" },
            exact: { type: "boolean" },
          },
          required: ["base", "height"],
        },
      },
      { name: "area.of_square", description: "", parameters: { type: "dict", properties: {}, required: [] } },
    ],
  },
  {
    id: "two",
    function: [
      {
        name: "route",
        description: "",
        parameters: {
          type: "dict",
          properties: {
            from: { type: "tuple", items: { type: "float" } },
            data: { type: "any" },
            options: { type: "dict", properties: { fast: { type: "boolean" } } },
          },
          required: ["from"],
        },
      },
    ],
  },
];
const answers: Answer[] = [
  {
    id: "one",
    ground_truth: [
      { "area.of_triangle": { base: [10, "ten"], height: [5, 5.5], unit: ["cm", ""], exact: ["", true] } },
    ],
  },
  {
    id: "two",
    ground_truth: [{ route: { from: [[1.5, 2]], data: ["x"], options: [{ fast: [true, ""] }] } }],
  },
];

it("lets every right call pass and no wrong one run", async () => {
  const { by_kind, excluded, ...result } = await tally(questions, answers);
  expect(result).toMatchObject({ false_alarms: 0, executed: 0, wrong_kind: 0, problems: [] });
  expect(excluded.map(({ id }) => id)).toEqual(["one#0.1"]);
  expect(Object.keys(by_kind).toSorted()).toEqual(FAULT_KINDS.toSorted());
  for (const row of Object.values(by_kind)) expect(row.stopped + row.repaired_locally).toBe(row.faults);
  expect(by_kind.misspelt_name?.repaired_locally).toBeGreaterThan(0);
  expect(by_kind.extra?.repaired_with_model).toBeGreaterThan(0);
});

it.each([
  [[], "Say where the Berkeley Function Calling Leaderboard files are"],
  [["--data", tmpdir()], "There is no BFCL_v4_simple_python.json in"],
])("says what is missing when the data is: %j", (args, error) => {
  const run = fileURLToPath(new URL("../../../../bench/run.ts", import.meta.url));
  const { status, stderr, stdout } = spawnSync(process.execPath, [run, "guard", ...args], {
    encoding: "utf8",
  });
  expect([status, stdout]).toEqual([2, ""]);
  expect(stderr).toContain(error);
});
