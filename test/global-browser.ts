import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { TestProject } from "vitest/node";

/** Where the browsers of all workers lie. A worker ends too abruptly to tidy up after its own. */
export default function setup(project: TestProject): () => void {
  const directory = mkdtempSync(join(tmpdir(), "fairlead-browser-"));
  project.provide("browserDirectory", directory);
  return () => rmSync(directory, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 });
}
