// The world outside: a file that tools write to and no process owns. What is in it has happened, whoever died since.
import { closeSync, existsSync, fsyncSync, openSync, readFileSync, writeSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

export interface Deed {
  readonly tool: string;
  /** The call that did it. */
  readonly tool_call_id: string;
  readonly session_id: string;
}

/** A world is named and not located, because a call that names a place outside the workspace is asked about. */
function ledgerOf(world: string): string {
  return join(tmpdir(), world, "ledger.jsonl");
}

/** There for good when this returns. */
export function leaveDeed(world: string, deed: Deed): void {
  const file = openSync(ledgerOf(world), "a");
  try {
    writeSync(file, `${JSON.stringify(deed)}\n`);
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
}

export function readDeeds(world: string): readonly Deed[] {
  const ledger = ledgerOf(world);
  if (!existsSync(ledger)) return [];
  const lines = readFileSync(ledger, "utf8").split("\n").filter(Boolean);
  return lines.map((line) => JSON.parse(line) as Deed);
}
