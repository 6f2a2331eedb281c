/** A program that runs another one, which its words name. */
interface Wrapper {
  /** Options that take the next word. */
  readonly takes?: string;
  /** How many words of its own come before the other program's. */
  readonly own?: number;
  /** The rest is one text for a shell, not words. */
  readonly script?: boolean;
}

const WRAPPERS: Readonly<Record<string, Wrapper>> = {
  sudo: { takes: "-u -g -h -p -C -r -t -D -R -T -U --user --group --host --prompt --chdir" },
  doas: { takes: "-u -C" },
  env: { takes: "-u -C --unset --chdir" },
  nohup: {},
  setsid: {},
  command: {},
  builtin: {},
  exec: { takes: "-a" },
  nice: { takes: "-n --adjustment" },
  ionice: { takes: "-c -n -p --class --classdata" },
  chrt: { own: 1 },
  taskset: { own: 1 },
  time: { takes: "-f -o --format --output" },
  timeout: { takes: "-k -s --kill-after --signal", own: 1 },
  stdbuf: { takes: "-i -o -e" },
  unbuffer: {},
  caffeinate: { takes: "-t -w" },
  strace: { takes: "-e -o -p -s -P" },
  busybox: {},
  toybox: {},
  chroot: { takes: "--userspec --groups", own: 1 },
  flock: { takes: "-w -E --timeout", own: 1 },
  unshare: { takes: "-R -w -S -G" },
  nsenter: { takes: "-t -S -G" },
  proxychains4: { takes: "-f" },
  xargs: { takes: "-I -n -P -d -a -L -E -s --replace --max-args --max-procs --delimiter --arg-file" },
  parallel: { takes: "-j -I -S --jobs" },
  npx: { takes: "-p --package" },
  bunx: { takes: "-p --package" },
  "systemd-run": {
    takes: "-p -u -t -E -M -H --unit --property --setenv --slice --working-directory --uid --gid",
  },
  setarch: { own: 1 },
  firejail: {},
  pkexec: { takes: "--user" },
  run0: { takes: "-u -g -D --user --group --chdir --unit --property --setenv" },
  screen: { takes: "-S -c -e -h -p -t -T -L" },
  eval: { script: true },
  watch: { takes: "-n --interval", script: true },
  ssh: { takes: "-p -i -l -o -F -J -L -R -D -b -c -e -m -O -Q -S -W -w -B -E -I", own: 1, script: true },
};

/** They run what they are given with `-c`, and what they read. */
export const SHELLS: ReadonlySet<string> = new Set([
  "sh",
  "bash",
  "zsh",
  "dash",
  "ksh",
  "mksh",
  "ash",
  "fish",
  "csh",
  "tcsh",
]);

/** They take commands from what they read, whatever else they do. */
export const READS_COMMANDS: ReadonlySet<string> = new Set(["su", "at", "batch", "ssh", "make", "ed"]);

export type Inner = { readonly words: readonly string[] } | { readonly script: string };

/** What a program runs besides itself, as far as its words say. */
export function innersOf(name: string, words: readonly string[]): readonly Inner[] {
  const inner = innerOf(name, words);
  return [...(inner === undefined ? [] : [inner]), ...hooksOf(name, words)];
}

function innerOf(name: string, words: readonly string[]): Inner | undefined {
  if (SHELLS.has(name) || name === "su" || name === "script") return scriptOption(words);
  if (name === "find" || name === "fd") return executed(words);
  if (name === "alias" || name === "git") return assigned(name, words);
  if (name === "trap") return words[1] === undefined ? undefined : { script: words[1] };
  const wrapper = Object.hasOwn(WRAPPERS, name) ? WRAPPERS[name] : undefined;
  if (wrapper === undefined) return undefined;
  const split = name === "env" ? words.findIndex((word) => SPLITS.test(word)) : -1;
  if (split !== -1) {
    const glued = (words[split] as string).replace(SPLITS, "");
    return { script: [glued, ...words.slice(split + 1)].join(" ").trim() };
  }
  const rest = words.slice(restFrom(words, wrapper));
  if (rest.length === 0) {
    const asks =
      (name === "sudo" || name === "doas") &&
      words.some((word) => /^-[a-zA-Z]*[si]|^--(shell|login)$/.test(word));
    return asks ? { words: ["sh"] } : undefined;
  }
  return wrapper.script === true ? { script: rest.join(" ") } : { words: rest };
}

/** The option of `env` whose text becomes words, alone or with its text. */
const SPLITS = /^(-[a-zA-Z0]*S|--split-string=?)/;

/** Options of programs through which they run something else. */
const HOOKS: Readonly<Record<string, RegExp>> = {
  tar: /^--(?:checkpoint-action=exec|to-command|use-compress-program|rsh-command|info-script|new-volume-script)=(.+)$/s,
  rsync: /^(?:-e|--rsh=)(.+)$/s,
  sed: /^(?:[0-9$,]*|\/[^/]*\/)\s*e\s+(.+)$/s,
  vim: /^\+?:?(?:sil(?:ent)?!?\s+)?!(.+)$/s,
};
const SAME: Readonly<Record<string, string>> = {
  bsdtar: "tar",
  gtar: "tar",
  gsed: "sed",
  vi: "vim",
  nvim: "vim",
  ex: "vim",
  view: "vim",
  gvim: "vim",
};
const TMUX =
  /^(new|new-session|neww|new-window|splitw|split-window|run|run-shell|if|if-shell|respawn-pane|respawn-window|send|send-keys|popup|display-popup)$/;
const TMUX_TAKES = "-s -n -c -t -x -y -e -F";

function hooksOf(name: string, words: readonly string[]): Inner[] {
  if (name === "git") return plainGit(words);
  if (name === "tmux") {
    const at = words.findIndex((word, i) => i > 0 && TMUX.test(word));
    const taking = new Set(TMUX_TAKES.split(" "));
    // Which of its options take a word depends on the rest, so that every later word is read as a command too.
    return at === -1
      ? []
      : words
          .slice(at + 1)
          .flatMap((word, i, all) =>
            word.startsWith("-") || (taking.has(all[i - 1] ?? "") && !/\s/.test(word))
              ? []
              : [{ script: all.slice(i).join(" ") }],
          )
          .slice(0, 1);
  }
  if (name === "rsync") {
    const at = words.indexOf("-e");
    if (at !== -1 && words[at + 1] !== undefined) return [{ script: words[at + 1] as string }];
  }
  const kind = Object.hasOwn(SAME, name) ? (SAME[name] as string) : name;
  const form = Object.hasOwn(HOOKS, kind) ? HOOKS[kind] : undefined;
  if (form === undefined) return [];
  return words.slice(1).flatMap((word) => {
    const script = form.exec(word)?.[1];
    return script === undefined ? [] : [{ script }];
  });
}

/** `git -C x --namespace y push` is a push: the same without what comes before the verb. */
function plainGit(words: readonly string[]): Inner[] {
  const from = restFrom(words, {
    takes: "-c -C --git-dir --work-tree --namespace --super-prefix --config-env --attr-source --exec-path",
  });
  return from > 1 && from < words.length ? [{ words: ["git", ...words.slice(from)] }] : [];
}

/** Passes over options, the words they take, assignments and the wrapper's own words. */
function restFrom(words: readonly string[], { takes = "", own = 0 }: Wrapper): number {
  const taking = new Set(takes.split(" "));
  let left = own;
  let at = 1;
  while (at < words.length) {
    const word = words[at] as string;
    if (word === "--") at += 1;
    else if (word.startsWith("-") && word !== "-") at += taking.has(word) ? 2 : 1;
    else if (isAssignment(word)) at += 1;
    else if (left > 0) {
      left -= 1;
      at += 1;
    } else break;
  }
  return at;
}

export function isAssignment(word: string): boolean {
  return /^[A-Za-z_][A-Za-z0-9_]*\+?=/.test(word);
}

/** `-c`, alone or in a cluster such as `-lc`: the next word that is no option is a script. */
function scriptOption(words: readonly string[]): Inner | undefined {
  const at = words.findIndex((word, i) => i > 0 && /^-[a-zA-Z]*c[a-zA-Z]*$/.test(word));
  if (at === -1) return undefined;
  const script = words.slice(at + 1).find((word) => !word.startsWith("-"));
  return script === undefined ? undefined : { script };
}

/** Commands that stand behind a name: `alias x=…`, `git -c alias.x=!…`. */
function assigned(name: string, words: readonly string[]): Inner | undefined {
  const form =
    name === "git"
      ? /^(?:alias\.[^=]+=!|core\.(?:sshcommand|pager|editor|fsmonitor)=)(.*)$/is
      : /^[^=]+=(.*)$/s;
  const scripts = words.flatMap((word) => form.exec(word)?.[1] ?? []);
  return scripts.length === 0 ? undefined : { script: scripts.join("\n") };
}

function executed(words: readonly string[]): Inner | undefined {
  const at = words.findIndex((word) => /^(-exec|-execdir|-ok|-okdir|-x|-X|--exec|--exec-batch)$/.test(word));
  if (at === -1) return undefined;
  const rest = words.slice(at + 1);
  const stop = rest.findIndex((word) => word === ";" || word === "+");
  const from = words.slice(1, at).find((word) => !word.startsWith("-")) ?? ".";
  // What is found lies somewhere below where the search begins.
  return {
    words: (stop === -1 ? rest : rest.slice(0, stop)).map((word) =>
      word.replaceAll("{}", () => `${from}/{}`),
    ),
  };
}
