import { readdirSync, readFileSync } from "node:fs";

/** The variable by which a process is known to belong to a command, also after it has left the group. */
export const MARK = "FAIRLEAD_COMMAND";

/**
 * The processes of a group, and those that left it (`setsid`) with the environment they were given. Without /proc
 * only the group itself can be seen, as its leader's number. What is a zombie has ended.
 */
export function members(group: number, mark: string): readonly number[] {
  let names: readonly string[];
  try {
    names = readdirSync("/proc").filter((name) => /^\d+$/.test(name));
  } catch {
    return isThere(-group) ? [group] : [];
  }
  const sought = Buffer.from(`${MARK}=${mark}\0`);
  return names.map(Number).filter((pid) => pid !== process.pid && belongs(pid, group, sought));
}

function belongs(pid: number, group: number, sought: Buffer): boolean {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "latin1");
    // The name in brackets may itself have spaces and brackets.
    const [state, , pgrp] = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
    if (state === "Z" || state === "X") return false;
    return Number(pgrp) === group || readFileSync(`/proc/${pid}/environ`).includes(sought);
  } catch {
    return false;
  }
}

/** Signals one process, or with a negative number a group; false when there is none. */
export function signal(pid: number, name: NodeJS.Signals): boolean {
  try {
    process.kill(pid, name);
    return true;
  } catch {
    return false;
  }
}

function isThere(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "EPERM";
  }
}
