import { z } from "zod";

const name = z
  .string()
  .regex(/^[A-Za-z0-9][A-Za-z0-9-]{0,31}$/, "A name has letters, digits and dashes, at most 32 of them.");
const variable = z
  .string()
  .regex(/^[A-Za-z_][A-Za-z0-9_]*$/, "Write the name of an environment variable, not its value.");

const part = z.boolean().default(true);

const McpConfig = z
  .strictObject({
    /** Comes before the names of its tools: `NAME__tool`. */
    name,
    /** Started by us and spoken to over its standard input and output. */
    command: z.array(z.string().min(1)).min(1).optional(),
    /** Streamable HTTP. */
    url: z
      .url({ protocol: /^https?$/, error: "Write an address that begins with http:// or https://." })
      .optional(),
    /** For a command; `${NAME}` in a value stands for a variable of Fairlead's own environment. */
    env: z.record(variable, z.string()).optional(),
    /** For a url: header to the environment variable that holds its value. Never the secret itself. */
    headers_env: z
      .record(z.string().regex(/^[A-Za-z0-9-]+$/, "Write the name of a header."), variable)
      .optional(),
    timeout_ms: z.int().min(1).max(3_600_000).default(60_000),
    /** Whether the server is believed when it says that a tool only reads or may be repeated. */
    trust_hints: z.boolean().default(false),
    /** Tools, by the server's own names, that you say only read. */
    reads: z.array(z.string().min(1)).max(1_000).default([]),
  })
  .refine(
    ({ command, url }) => (command === undefined) !== (url === undefined),
    "Give `command` or `url`, one of them.",
  )
  .refine(({ env, command }) => env === undefined || command !== undefined, {
    path: ["env"],
    message: "Only a command has an environment.",
  })
  .refine(({ headers_env, url }) => headers_env === undefined || url !== undefined, {
    path: ["headers_env"],
    message: "Only a url has headers.",
  });

/** The part `tools` of the configuration. */
export const ToolsConfig = z
  .strictObject({
    /** Names of tools that nobody is offered and nobody can call. */
    disable: z.array(z.string().min(1)).default([]),
    /** Files with tools of one's own, relative to the configuration. */
    modules: z.array(z.string().min(1)).default([]),
    mcp: z.array(McpConfig).max(100).default([]),
    web: z
      .strictObject({
        /** Hosts that web_fetch may reach though they are private: `docs.internal`, `localhost:8080`. */
        allow_hosts: z.array(z.string().regex(/^[^\s/]+$/, "Write a host, or HOST:PORT.")).default([]),
      })
      .prefault({}),
    sandbox: z
      .strictObject({
        /** `auto`: bubblewrap where it works, else none. `bubblewrap`: no command runs without it. */
        mode: z.enum(["auto", "bubblewrap", "none"]).default("auto"),
        /** Whether commands in a sandbox reach the network. */
        network: z.enum(["allow", "deny"]).default("deny"),
      })
      .prefault({}),
    /** Parts of the guard; false leaves one out. */
    guard: z
      .strictObject({
        names: part,
        json: part,
        schema: part,
        coerce: part,
        paths: part,
        semantics: part,
      })
      .prefault({}),
    /** With more tools than this the fitting ones are chosen for each step. */
    offer_limit: z.int().min(1).max(1_000).default(24),
  })
  .superRefine(({ mcp }, { addIssue }) => {
    const names = mcp.map((server) => server.name);
    const twice = names.findIndex((one, i) => names.indexOf(one) !== i);
    if (twice !== -1)
      addIssue({
        code: "custom",
        path: ["mcp", twice, "name"],
        message: `There are two servers ${names[twice]}.`,
      });
  });

export type ToolsConfig = z.output<typeof ToolsConfig>;
