import { readShell, type ShellCommand } from "../policy/shell/commands.ts";

/** Programs that change no file, whatever they are told. One that can be told to write or to run another is none of them. */
const READERS: ReadonlySet<string> = new Set(
  "basename cat cd cmp cut df dirname du echo egrep false fgrep grep head ls md5sum printf pwd readlink realpath sha1sum sha256sum stat tail test tr true wc which whoami".split(
    " ",
  ),
);
const NOWHERE = "/dev/null";
/** Of some variables programs are looked for, or loaded. */
const ASSIGNS = /(?:^|[\s;&|({`])[A-Za-z_]\w*\+?=/;

/**
 * Whether a call is known to change no file: then what it leaves need not be looked at. Only commands that can be read
 * for certain are; it decides nothing that protects somebody.
 */
export function onlyReads({
  name,
  arguments: given,
}: {
  readonly name: string;
  readonly arguments: Readonly<Record<string, unknown>>;
}): boolean {
  const { command } = given;
  if (name !== "shell" || typeof command !== "string" || ASSIGNS.test(command)) return false;
  const { commands, readable } = readShell(command);
  return readable && commands.length > 0 && commands.every(isReader);
}

function isReader({ name, words, computed, redirects }: ShellCommand): boolean {
  // A name with a directory is a file of that name, perhaps one of the project's.
  const plain = words[0] === name;
  const silent = redirects.every((target) => target === NOWHERE);
  return plain && !computed && silent && READERS.has(name);
}
