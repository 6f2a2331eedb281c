import { existsSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { readBfcl } from "./guard/bfcl.ts";
import { tally } from "./guard/tally.ts";
import { table } from "./measure.ts";

/** Problems that are shown; all of them are counted. */
const MOST_SHOWN = 20;

/** The guard against the calls of the Berkeley Function Calling Leaderboard, right ones and wrong ones. */
export async function guard(): Promise<Record<string, unknown>> {
  const { questions, answers } = readBfcl(dataDirectory());
  const { cases, false_alarms, faults, executed, wrong_kind, by_kind, excluded, problems } = await tally(
    questions,
    answers,
  );
  console.error(`Answers that break their own schema, left out: ${excluded.length}`);
  for (const { id, why } of excluded) console.error(`  ${id}  ${why}`);
  if (wrong_kind > 0) console.error(`Refused for another reason than the one injected: ${wrong_kind}`);
  for (const problem of problems.slice(0, MOST_SHOWN)) console.error(problem);
  const columns = ["faults", "stopped", "repaired_locally", "repaired_with_model"] as const;
  table(
    ["kind", "faults", "stopped", "repaired by the guard", "of those stopped: repaired by the stand-in*"],
    Object.entries(by_kind).map(([kind, row]) => [kind, ...columns.map((column) => row[column])]),
  );
  console.log(
    "* No model: a script that reads only the call and the guard's errors, at most 3 rounds. What only the question could tell, such as a missing value, it leaves.",
  );
  const sum = (column: (typeof columns)[number]) =>
    Object.values(by_kind).reduce((total, row) => total + row[column], 0);
  if (executed + false_alarms + wrong_kind > 0) process.exitCode = 1;
  return {
    bench: "guard",
    cases,
    excluded: excluded.length,
    false_alarms,
    faults,
    by_kind,
    executed,
    repaired_locally: sum("repaired_locally"),
    repaired_with_model: sum("repaired_with_model"),
  };
}

/** Where the data is. It is not part of this project. */
function dataDirectory(): string {
  const { values } = parseArgs({ args: process.argv.slice(3), options: { data: { type: "string" } } });
  const missing =
    values.data === undefined
      ? "Say where the Berkeley Function Calling Leaderboard files are: npm run bench -- guard --data DIR"
      : existsSync(join(values.data, "BFCL_v4_simple_python.json"))
        ? undefined
        : `There is no BFCL_v4_simple_python.json in ${values.data}.`;
  if (missing === undefined) return values.data as string;
  console.error(missing);
  process.exit(2);
}
