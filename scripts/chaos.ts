// `npm run chaos`: kills a real process at every point of the recorded scenarios, on both stores, and says how many of
// those deaths were survived. The last line is one line of JSON.
import { parseArgs } from "node:util";
import type { PostgresServer } from "../packages/runtime/test/support/postgres-server.ts";
import type { Chaos } from "../test/chaos/chaos.ts";
import { failuresOf, type ChaosResult, resultOf } from "../test/chaos/report.ts";
import { SCENARIO_NAMES, SCENARIOS, type ScenarioName } from "../test/chaos/scenarios.ts";
import { STORES, type StoreName } from "../test/chaos/stores.ts";

const HELP = `usage: npm run chaos -- [--scenario NAME]… [--store NAME]… [--again] [--together N] [--json]

Plays each scenario to its end, and then again for every commit that it made, killing the process with -9: right after
the commit, before anybody is told, and once more after what was done on account of it. Another process goes on, a
person answers what is asked, and the run has to come to the same end, with nothing lost, doubled or done in silence.

  --scenario NAME   ${SCENARIO_NAMES.join(", ")}; may be repeated; all when left out
  --store NAME      ${STORES.join(", ")}; may be repeated; both when left out
  --again           the process that goes on is killed too, on its way, and a third one goes on
  --together N      runs that one process has when it is killed: quicker, and a little less exact (1)
  --json            nothing but the last line

${SCENARIO_NAMES.map((name) => `  ${name.padEnd(17)} ${SCENARIOS[name].about}`).join("\n")}

Exit code: 0 when all were survived, 1 when not, 2 for a wrong option.
`;

interface Options {
  readonly scenarios: readonly ScenarioName[];
  readonly stores: readonly StoreName[];
  readonly again: boolean;
  readonly together: number;
  readonly json: boolean;
}

function optionsOf(args: readonly string[]): Options | "help" {
  const { values } = parseArgs({
    args: [...args],
    options: {
      scenario: { type: "string", multiple: true },
      store: { type: "string", multiple: true },
      again: { type: "boolean" },
      together: { type: "string" },
      json: { type: "boolean" },
      help: { type: "boolean" },
    },
  });
  if (values.help === true) return "help";
  const together = Number(values.together ?? 1);
  if (!Number.isInteger(together) || together < 1 || together > 64)
    throw new Error("--together is a whole number from 1 to 64.");
  return {
    scenarios: named("--scenario", values.scenario, SCENARIO_NAMES),
    stores: named("--store", values.store, STORES),
    again: values.again ?? false,
    together,
    json: values.json ?? false,
  };
}

function named<T extends string>(
  option: string,
  given: readonly string[] = [],
  known: readonly T[],
): readonly T[] {
  const unknown = given.find((name) => !known.includes(name as T));
  if (unknown !== undefined)
    throw new Error(`${option} ${unknown}: there is no such one. Known: ${known.join(", ")}.`);
  return given.length === 0 ? known : known.filter((name) => given.includes(name));
}

async function run({ scenarios, stores, again, together, json }: Options): Promise<ChaosResult> {
  // Loads the whole runtime: not to say what is wrong with an option.
  const [{ chaos }, { startPostgresServer }] = await Promise.all([
    import("../test/chaos/chaos.ts"),
    import("../packages/runtime/test/support/postgres-server.ts"),
  ]);
  let postgres: Promise<PostgresServer> | undefined;
  // Processes are killed here, and never the machine: the database need not wait for the disk.
  const server = async () =>
    (await (postgres ??= startPostgresServer({ settings: { fsync: "off", full_page_writes: "off" } }))).url;
  const say = (text: string) => (json ? undefined : process.stdout.write(text));
  const all: Chaos[] = [];
  try {
    for (const scenario of scenarios)
      for (const store of stores) {
        const name = `${scenario.padEnd(10)} ${store.padEnd(8)}`;
        const progress = (done: number, of: number) =>
          process.stdout.isTTY && say(`\r${name} ${done} of ${of}`);
        const one = await chaos({ scenario, store, server, again, together, progress });
        all.push(one);
        say(
          `${process.stdout.isTTY ? "\r" : ""}${name} survived ${one.survived} of ${one.total}` +
            ` (${one.events} events in ${one.commits} commits)\n${failuresOf(one)}`,
        );
      }
  } finally {
    await (await postgres)?.stop();
  }
  return resultOf(all);
}

let options: Options | "help";
try {
  options = optionsOf(process.argv.slice(2));
} catch (error) {
  console.error(`${(error as Error).message}\n\n${HELP}`);
  process.exit(2);
}
if (options === "help") {
  process.stdout.write(HELP);
  process.exit(0);
}
const result = await run(options);
console.log(JSON.stringify(result));
process.exit(result.survived === result.total ? 0 : 1);
