import type { ShellCommand } from "../shell/commands.ts";

/** Programs whose words are addresses, with a scheme or without. */
const FETCHES = new Set(
  "curl wget http https xh fetch aria2c lynx links w3m iwr invoke-webrequest ping nc ncat".split(" "),
);
/** A host written as numbers, as only somebody does who would rather not have it read. */
const NUMERIC = /^(0x[0-9a-f]+|[0-9]+)(\.(0x[0-9a-f]+|[0-9]+)){0,3}(?=[:/?#]|$)/i;

/** The addresses that an action names, each as it is written and, where that differs, as it is understood. */
export function addresses(said: readonly string[], commands: readonly ShellCommand[]): string[] {
  const words = commands.flatMap(({ name, words }) =>
    words.flatMap((word) => {
      if (word.includes("://")) return [word];
      return FETCHES.has(name) && NUMERIC.test(word) ? [`http://${word}`] : [];
    }),
  );
  return [...new Set([...said, ...words].flatMap((url) => [url, ...understood(url)]))];
}

/** 0251.0376.0251.0376, 2852039166 and 0xa9fea9fe are all 169.254.169.254. */
function understood(url: string): string[] {
  const from = url.search(/[a-z][a-z0-9+.-]*:\/\//i);
  const read = from === -1 ? null : URL.parse(url.slice(from));
  return read === null || read.href === url || read.hostname === "" ? [] : [read.href];
}
