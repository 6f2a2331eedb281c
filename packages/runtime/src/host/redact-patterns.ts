import { ConfigError } from "./config-error.ts";

/** What is wrong with a pattern of one's own; undefined when nothing is. */
export function patternProblem(source: string): string | undefined {
  try {
    if (new RegExp(source).test(""))
      return `The pattern ${source} matches the empty text, and so everything.`;
    return undefined;
  } catch (error) {
    return (error as Error).message;
  }
}

/** The patterns of `FAIRLEAD_REDACT`, one a line. Throws ConfigError. */
export function patternsFrom(env: Readonly<Record<string, string | undefined>>): readonly string[] {
  const patterns = (env["FAIRLEAD_REDACT"] ?? "")
    .split("\n")
    .map((line) => line.trim())
    .filter((line) => line !== "");
  for (const pattern of patterns) {
    const problem = patternProblem(pattern);
    if (problem !== undefined)
      throw new ConfigError(`FAIRLEAD_REDACT: ${problem}`, "It takes regular expressions, one a line.");
  }
  return patterns;
}
