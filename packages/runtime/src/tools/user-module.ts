import { basename } from "node:path";
import { pathToFileURL } from "node:url";
import { z } from "zod";
import { EFFECTS, type Effect, type JsonSchema } from "@fairlead/contract";
import type {
  PathArgument,
  Tool,
  ToolArguments,
  ToolCheck,
  ToolContext,
  ToolKind,
  ToolSource,
} from "../ports/tool.ts";

/** A tool as a user writes it. What is left out is taken for the worst: a write, to be done once. */
export interface UserTool {
  readonly name: string;
  readonly description: string;
  /** JSON Schema of an object. */
  readonly parameters: JsonSchema;
  readonly access?: "read" | "write";
  readonly effect?: Effect;
  readonly kind?: ToolKind;
  readonly timeoutMs?: number;
  readonly parallel?: boolean;
  readonly paths?: readonly PathArgument[];
  readonly checks?: readonly ToolCheck[];
  /** The result is any JSON value. Throws where it fails. */
  run(args: ToolArguments, context: ToolContext): unknown;
}

const TIMEOUT_MS = 60_000;

const fn = z.custom<(...args: never[]) => unknown>(
  (value) => typeof value === "function",
  "must be a function",
);

const Shape = z.strictObject({
  name: z
    .string()
    .regex(/^[A-Za-z_][A-Za-z0-9_-]{0,63}$/, "must have letters, digits, _ and -, at most 64 of them"),
  description: z.string().min(1).max(4_000),
  parameters: z.looseObject({ type: z.literal("object") }),
  access: z.enum(["read", "write"]).optional(),
  effect: z.enum(EFFECTS).optional(),
  kind: z.enum(["file_edit", "shell", "network", "tasks"]).optional(),
  timeoutMs: z.int().min(1).max(3_600_000).optional(),
  parallel: z.boolean().optional(),
  paths: z
    .array(
      z.strictObject({
        argument: z.string(),
        must: z.enum(["exist", "be_file", "be_directory", "any"]).optional(),
      }),
    )
    .optional(),
  checks: z.array(fn).optional(),
  run: fn,
});

/** Loads a file whose default export, or export `tools`, is a list of tools. Rejects with file and field. */
export async function moduleTools(file: string): Promise<ToolSource> {
  let loaded: Readonly<Record<string, unknown>>;
  try {
    loaded = (await import(pathToFileURL(file).href)) as Readonly<Record<string, unknown>>;
  } catch (error) {
    throw new Error(`${file} cannot be loaded: ${error instanceof Error ? error.message : String(error)}`, {
      cause: error,
    });
  }
  const list = loaded["default"] ?? loaded["tools"];
  if (!Array.isArray(list))
    throw new Error(`${file}: its default export, or its export \`tools\`, must be a list of tools.`);
  const tools = list.map((entry: unknown, i) => validated(entry, `${file}: tools[${i}]`, basename(file)));
  const names = tools.map((tool) => tool.spec.name);
  const twice = names.findIndex((name, i) => names.indexOf(name) !== i);
  if (twice !== -1) throw new Error(`${file}: tools[${twice}].name: there are two tools ${names[twice]}.`);
  return { name: `module:${basename(file)}`, tools: () => tools, close: async () => {} };
}

function validated(entry: unknown, where: string, file: string): Tool {
  const read = Shape.safeParse(entry);
  if (!read.success) {
    const [issue] = read.error.issues;
    const field =
      issue?.path.map((part) => (typeof part === "number" ? `[${part}]` : `.${String(part)}`)).join("") ?? "";
    throw new Error(`${where}${field}: ${issue?.message}`);
  }
  // Not what zod made of it: `run` may need its own `this`.
  const tool = entry as UserTool;
  const { access = "write", paths, checks, kind } = tool;
  if (access === "write" && tool.parallel === true)
    throw new Error(`${where}.parallel: only a tool with access "read" may run beside others.`);
  return {
    spec: { name: tool.name, description: tool.description, parameters: tool.parameters },
    access,
    effect: tool.effect ?? (access === "read" ? "none" : "once"),
    timeoutMs: tool.timeoutMs ?? TIMEOUT_MS,
    parallel: tool.parallel ?? access === "read",
    origin: `module:${file}`,
    ...(kind === undefined ? {} : { kind }),
    ...(paths === undefined ? {} : { paths }),
    ...(checks === undefined ? {} : { checks }),
    run: async (args, context) => ({ result: await tool.run(args, context) }),
  };
}
