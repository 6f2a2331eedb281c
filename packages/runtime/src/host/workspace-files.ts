import { randomBytes } from "node:crypto";
import {
  closeSync,
  constants,
  fchmodSync,
  openSync,
  readdirSync,
  renameSync,
  rmSync,
  writeSync,
} from "node:fs";
import { FileError, type WorkspaceFiles } from "../ports/workspace-files.ts";
import { inWorkspace, type Protected, realProtected, systemError, withDirectory } from "./contained.ts";
import { type Spot, withSpot } from "./contained-file.ts";
import { readWhole } from "./read-whole.ts";
import { walkWorkspace } from "./walk-workspace.ts";

const { O_CREAT, O_EXCL, O_NOFOLLOW, O_WRONLY } = constants;

/**
 * Files of workspaces on this machine. Synchronous: each call is small, and nothing of ours comes between check and use.
 * `excludes`: the file of what the user has git ignore everywhere.
 */
export function hostFiles(
  named: Protected,
  { excludes = () => undefined }: { readonly excludes?: () => string | undefined } = {},
): WorkspaceFiles {
  const guarded = () => realProtected(named);
  return {
    read(place, maxBytes) {
      return withSpot(place, guarded(), false, ({ file, path }) => {
        if (file === undefined) throw new FileError("missing", `${place.path} does not exist.`);
        return { path, bytes: readWhole(file, maxBytes, place.path) };
      });
    },

    write(place, bytes, { replaces } = {}) {
      return withSpot(place, guarded(), true, (spot) => {
        if (replaces !== undefined) demandSame(spot, replaces, place.path);
        replace(spot, bytes, place.path);
        return { path: spot.path, created: spot.file === undefined };
      });
    },

    names(place) {
      try {
        return withDirectory({ ...place, path: inWorkspace(place) }, guarded(), false, ({ child }) =>
          readdirSync(child(".")).toSorted(),
        );
      } catch {
        return [];
      }
    },

    walk: (place, options) => walkWorkspace(place, guarded(), excludes, options),
  };
}

function demandSame({ file }: Spot, expected: Uint8Array, asked: string): void {
  const same =
    file !== undefined &&
    file.stats.size === expected.length &&
    Buffer.compare(readWhole(file, expected.length, asked), expected) === 0;
  if (!same) throw new FileError("changed", `${asked} was changed by somebody else. Read it again.`);
}

/** Under another name first, then in place: whole or not at all, and never through a hard link. */
function replace({ directory, name, file }: Spot, bytes: Uint8Array, asked: string): void {
  const draft = directory.child(`.fairlead-${randomBytes(8).toString("hex")}.tmp`);
  try {
    const fd = openSync(draft, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW, 0o666);
    try {
      for (let at = 0; at < bytes.length;) at += writeSync(fd, bytes, at);
      if (file !== undefined) fchmodSync(fd, file.stats.mode & 0o777);
    } finally {
      closeSync(fd);
    }
    renameSync(draft, directory.child(name));
  } catch (error) {
    rmSync(draft, { force: true });
    throw systemError(error, asked);
  }
}
