import type { RequestedCall } from "@fairlead/contract";
import { isShallow } from "../../domain/canonical.ts";
import { coerce } from "../../domain/guard/coerce.ts";
import { mendJson, notAnObject, unparsable, unreadable } from "../../domain/guard/json.ts";
import { resolveName, unknownTool } from "../../domain/guard/names.ts";
import type { BadSchema } from "../../domain/guard/schema/check.ts";
import { schemaPart } from "../../domain/guard/schema/check.ts";
import { semanticFaults } from "../../domain/guard/semantics.ts";
import type {
  Found,
  Guarded,
  GuardedCall,
  GuardFault,
  GuardFunctions,
  GuardParts,
} from "../../domain/guard/types.ts";
import { ALL_PARTS } from "../../domain/guard/types.ts";
import { isRecord } from "../../domain/is-record.ts";
import type { Places } from "../../ports/places.ts";
import type { Tool, ToolArguments } from "../../ports/tool.ts";
import { pathsPart } from "./guard-paths.ts";

export interface GuardOptions {
  /** Each part: false leaves it out, a function takes its place. */
  readonly parts?: { readonly [Part in keyof GuardParts]?: boolean | GuardFunctions[Part] };
  readonly places: Places;
  /** Told once of each tool that can never be called, because its schema cannot be understood. */
  readonly report?: (bad: BadSchema) => void;
}

/** Between model and execution: whether a call may go on, and as what. Never rejects; what fails is refused. */
export type Guard = (call: RequestedCall, tools: readonly Tool[], workspace: string) => Promise<Guarded>;

/** A model that is told more of them at once mends none. */
const MOST_FAULTS = 5;
/** A text that is shorter cannot nest deeper than is allowed. */
const SHORTEST_DEEP = 128;
const NONE: readonly GuardFault[] = [];

export function createGuard({ parts = {}, places, report }: GuardOptions): Guard {
  const use = chosen(parts, {
    names: resolveName,
    json: mendJson,
    schema: schemaPart(report),
    coerce,
    paths: pathsPart(places),
    semantics: semanticFaults,
  });
  return async (call, tools, workspace) => {
    try {
      return await check(use, call, tools, workspace);
    } catch (error) {
      const why = error instanceof Error ? error.message : String(error);
      return refused([{ kind: "schema", at: "", error: `The call could not be checked: ${why}.` }]);
    }
  };
}

async function check(
  use: Partial<GuardFunctions>,
  { tool_call_id, name, arguments: text }: RequestedCall,
  tools: readonly Tool[],
  workspace: string,
): Promise<Guarded> {
  const named = toolNamed(use, name, tools);
  if (!named.ok) return refused([named.fault]);
  const parsed = argumentsIn(use, text);
  if (!parsed.ok) return refused([parsed.fault]);
  const tool = named.value;
  const fitted = fit(use, tool, parsed.value);
  if (!fitted.ok) return fitted;
  const args = fitted.arguments;
  const misplaced = use.paths?.(tool, args, workspace) ?? NONE;
  const faults = [
    ...(misplaced instanceof Promise ? await misplaced : misplaced),
    ...(use.semantics?.(tool, args) ?? NONE),
  ];
  if (faults.length > 0) return refused(faults);
  const repairs = [named.repair, parsed.repair, ...fitted.repairs].filter((repair) => repair !== undefined);
  return { ok: true, call: { tool_call_id, name: tool.spec.name, arguments: args, repairs } };
}

function toolNamed(use: Partial<GuardFunctions>, name: string, tools: readonly Tool[]): Found<Tool> {
  const tool = tools.find(({ spec }) => spec.name === name);
  if (tool !== undefined) return { ok: true, value: tool };
  if (use.names !== undefined) return use.names(name, tools);
  return {
    ok: false,
    fault: unknownTool(
      name,
      tools.map(({ spec }) => spec.name),
    ),
  };
}

function argumentsIn(use: Partial<GuardFunctions>, text: string): Found<ToolArguments> {
  let found: Found<ToolArguments>;
  try {
    const value: unknown = JSON.parse(text);
    found = isRecord(value) ? { ok: true, value } : { ok: false, fault: notAnObject(value) };
  } catch {
    found = use.json?.(text) ?? { ok: false, fault: unreadable(text) };
  }
  if (found.ok && text.length >= SHORTEST_DEEP && !isShallow(found.value))
    return { ok: false, fault: unparsable("The arguments are nested too deeply.") };
  return found;
}

/** Arguments that fit the schema: as they are, or mended and checked again. */
function fit(
  use: Partial<GuardFunctions>,
  tool: Tool,
  args: ToolArguments,
): ({ readonly ok: true } & Pick<GuardedCall, "arguments" | "repairs">) | Extract<Guarded, { ok: false }> {
  const faults = use.schema?.(tool, args) ?? NONE;
  if (faults.length === 0) return { ok: true, arguments: args, repairs: NONE };
  const mended = use.coerce?.(args, faults);
  // What is still wrong is told of the arguments as they came: those are what the model sees.
  if (mended === undefined || use.schema?.(tool, mended.arguments).length !== 0) return refused(faults);
  return { ok: true, ...mended };
}

function refused(faults: readonly GuardFault[]): Extract<Guarded, { ok: false }> {
  const [first, ...others] = faults.slice(0, MOST_FAULTS).map(({ kind, at, error }) => ({ kind, at, error }));
  if (first === undefined) throw new Error("A refusal has a fault.");
  return { ok: false, faults: [first, ...others] };
}

function chosen(parts: NonNullable<GuardOptions["parts"]>, own: GuardFunctions): Partial<GuardFunctions> {
  const pick = <Part>(given: boolean | Part | undefined, standard: boolean, part: Part): Part | undefined => {
    const wanted = given ?? standard;
    return typeof wanted === "boolean" ? (wanted ? part : undefined) : wanted;
  };
  return {
    names: pick(parts.names, ALL_PARTS.names, own.names),
    json: pick(parts.json, ALL_PARTS.json, own.json),
    schema: pick(parts.schema, ALL_PARTS.schema, own.schema),
    coerce: pick(parts.coerce, ALL_PARTS.coerce, own.coerce),
    paths: pick(parts.paths, ALL_PARTS.paths, own.paths),
    semantics: pick(parts.semantics, ALL_PARTS.semantics, own.semantics),
  };
}
