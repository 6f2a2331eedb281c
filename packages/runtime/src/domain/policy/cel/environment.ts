import { Environment } from "@marcbachmann/cel-js";
import { STRUCTURES, VARIABLES } from "./fields.ts";
import type { StructureName } from "./fields.ts";
import { matchesMacro } from "./pattern.ts";
import {
  ActionView,
  AmountsView,
  BudgetView,
  CommandView,
  EventView,
  HistoryView,
  StatsView,
} from "./views.ts";

const CLASSES: Record<StructureName, Function> = {
  Event: EventView,
  Stats: StatsView,
  Amounts: AmountsView,
  Budget: BudgetView,
  History: HistoryView,
  Command: CommandView,
  Action: ActionView,
};

/** CEL has no arithmetic between whole numbers and others, but in JSON all numbers are others. */
const ARITHMETIC: Record<string, (a: number, b: number) => number> = {
  "+": (a, b) => a + b,
  "-": (a, b) => a - b,
  "*": (a, b) => a * b,
  "/": (a, b) => a / b,
  "%": (a, b) => a % b,
};

const PLAIN = { async: false } as const;

function create(): Environment {
  const environment = new Environment({
    unlistedVariablesAreDyn: false,
    homogeneousAggregateLiterals: false,
    limits: {
      maxAstNodes: 5_000,
      maxDepth: 60,
      maxListElements: 1_000,
      maxMapEntries: 1_000,
      maxCallArguments: 16,
    },
  });
  for (const [name, fields] of Object.entries(STRUCTURES)) {
    environment.registerType(name, { ctor: CLASSES[name as StructureName], fields });
  }
  for (const [name, type] of Object.entries(VARIABLES)) environment.registerVariable(name, type);
  for (const [name, of] of [
    ["event", "events"],
    ["tool", "tools"],
    ["decision", "decisions"],
  ] as const) {
    environment.registerFunction(
      `History.${name}(string): int`,
      (history: HistoryView, key: string) => history.count(of, key),
      PLAIN,
    );
  }
  for (const count of [1, 2, 3, 4]) {
    environment.registerFunction(
      `Command.flag(${Array.from({ length: count }, () => "string").join(", ")}): bool`,
      (command: CommandView, ...options: string[]) => options.some((option) => command.flag(option)),
      PLAIN,
    );
  }
  environment.registerFunction(
    "Command.feeds(list): bool",
    (command: CommandView, names: readonly unknown[]) => command.feeds(names),
    PLAIN,
  );
  // The receiver's type means nothing to a macro; `string` itself is taken by the function this stands in for.
  environment.registerFunction("list.matches(ast): bool", matchesMacro, PLAIN);
  environment.registerFunction("matches(ast, ast): bool", matchesMacro, PLAIN);
  for (const [operator, apply] of Object.entries(ARITHMETIC)) {
    environment.registerOperator(`double ${operator} int: double`, (a: number, b: bigint) =>
      apply(a, Number(b)),
    );
    environment.registerOperator(`int ${operator} double: double`, (a: bigint, b: number) =>
      apply(Number(a), b),
    );
  }
  return environment;
}

export const ENVIRONMENT = create();
