import { type Check, failed, ok } from "./finding.ts";

/** What is configured here, if it can be read at all. */
export const checkConfig: Check = async ({ host }) => {
  const name = "configuration";
  try {
    const { loadConfig, patternsFrom } = await import("@fairlead/runtime/config");
    const { file, redact } = loadConfig({ cwd: host.cwd });
    const own = redact.length + patternsFrom(host.env).length;
    const patterns = own === 0 ? "" : `, ${own} redaction ${own === 1 ? "pattern" : "patterns"} of your own`;
    return [ok(name, `${file ?? "none, so the defaults"}${patterns}`)];
  } catch (error) {
    return [failed(name, error, "See docs/harness.md.")];
  }
};
