import { z } from "zod";
import { route } from "../define-route.ts";
import { HOOK_POINTS } from "../events/hook.ts";

/** `changed`: trusted once, and not what it was then. `unusable`: something that it runs is missing. */
const HOOK_STATES = ["trusted", "changed", "untrusted", "unusable"] as const;

const HookFile = z.object({
  /** As the configuration names it. */
  path: z.string(),
  sha256: z.string(),
  bytes: z.int(),
});

export const HookRow = z.object({
  name: z.string(),
  on: z.enum(HOOK_POINTS),
  /** Names of tools, `*` for any letters; null: every tool. */
  tools: z.array(z.string()).nullable(),
  command: z.array(z.string()).nullable(),
  module: z.string().nullable(),
  blocking: z.boolean(),
  timeout_ms: z.int(),
  state: z.enum(HOOK_STATES),
  /** Of the hook as it is now; null when it is unusable. */
  hash: z.string().nullable(),
  /** What keeps it from being run; null when nothing does. */
  problem: z.string().nullable(),
  /** The program of a command that is bound by its place; null where its bytes are. */
  program: z.string().nullable(),
  /** What is bound by its bytes. */
  files: z.array(HookFile),
  trusted_hash: z.string().nullable(),
  trusted_by: z.string().nullable(),
  trusted_at: z.string().nullable(),
});
export type HookRow = z.infer<typeof HookRow>;

const params = z.strictObject({
  name: z.string().regex(/^[a-z0-9][a-z0-9._-]{0,63}$/, "Not the name of a hook."),
});

export const HOOK_ROUTES = {
  listHooks: route({
    method: "GET",
    path: "/hooks",
    summary: "List hooks",
    doc: "As the configuration has them, with what each would run now, and who trusted it.",
    role: "viewer",
    agents: false,
    status: 200,
    reply: z.object({ rows: z.array(HookRow) }),
    errors: [],
  }),
  getHook: route({
    method: "GET",
    path: "/hooks/{name}",
    summary: "Look at a hook before trusting it",
    doc: "With the text of its files, up to a limit; null for what is no text.",
    role: "operator",
    agents: false,
    params,
    status: 200,
    reply: HookRow.extend({ files: z.array(HookFile.extend({ text: z.string().nullable() })) }),
    errors: ["invalid_id", "hook_not_found"],
  }),
  trustHook: route({
    method: "POST",
    path: "/hooks/{name}/trust",
    summary: "Trust a hook as it is now",
    doc: "`hash` is the one you were shown: if the hook is not that any more, nothing is trusted. It runs from now on, until it changes. Hooks run for every project, so a credential for one project cannot do this.",
    role: "operator",
    agents: false,
    params,
    body: z.strictObject({
      hash: z.string().regex(/^[0-9a-f]{64}$/, "Not a hash: 64 digits and letters a to f."),
    }),
    status: 200,
    reply: HookRow,
    errors: ["invalid_id", "hook_not_found", "hook_changed", "hook_unusable"],
  }),
  untrustHook: route({
    method: "DELETE",
    path: "/hooks/{name}/trust",
    summary: "Trust a hook no more",
    doc: "It is not run again. One that blocks then blocks. Also for a hook that the configuration does not have any more.",
    role: "operator",
    agents: false,
    params,
    status: 204,
    reply: null,
    errors: ["invalid_id", "hook_not_found"],
  }),
};
