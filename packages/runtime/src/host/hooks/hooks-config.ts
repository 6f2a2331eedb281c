import { HOOK_POINTS } from "@fairlead/contract";
import { z } from "zod";

const LONGEST_MS = 600_000;

/** No place for it in an argument of a process. */
const word = z.string().refine((text) => !text.includes("\0"), "It has a NUL character.");

const HookConfig = z
  .strictObject({
    name: z
      .string()
      .regex(
        /^[a-z0-9][a-z0-9._-]{0,63}$/,
        "A name has small letters, digits, dots, dashes and underscores.",
      ),
    on: z.enum(HOOK_POINTS),
    /** Names of tools, `*` for any letters. Left out: every tool. */
    tools: z
      .array(
        z
          .string()
          .regex(
            /^[\w.:*-]{1,128}$/,
            "Write the name of a tool; `*` stands for any letters. Arguments are no part of it.",
          ),
      )
      .min(1)
      .max(100)
      .optional(),
    /** Run as it is, without a shell. It reads one line of JSON, and may print `{"decision":"block","reason":"…"}`. */
    command: z.tuple([word.min(1)], word).optional(),
    /** A file whose default export is called with the same, relative to this file. */
    module: word
      .regex(/\.[cm]?[jt]s$/, "Write the path of a file that ends in .ts, .mts, .js or .mjs.")
      .optional(),
    /** Whether a no of its own, and any failure of it, keeps things from going on. */
    blocking: z.boolean().default(false),
    timeout_ms: z.int().min(1).max(LONGEST_MS).default(10_000),
  })
  .refine(
    ({ command, module }) => (command === undefined) !== (module === undefined),
    "Give `command` or `module`, one of them.",
  )
  .refine(({ tools, on }) => tools === undefined || on === "before_tool" || on === "after_tool", {
    path: ["tools"],
    message: "Only hooks on before_tool and after_tool are about tools.",
  });

/** The part `hooks` of the configuration. */
export const HooksConfig = z
  .array(HookConfig)
  .max(100)
  .superRefine((hooks, { addIssue }) => {
    const names = hooks.map(({ name }) => name);
    const twice = names.findIndex((one, i) => names.indexOf(one) !== i);
    if (twice !== -1)
      addIssue({ code: "custom", path: [twice, "name"], message: `There are two hooks ${names[twice]}.` });
  });
