// `npm run bench -- NAME`: prints a table and, as the last line, one line of JSON.
interface Bench {
  readonly about: string;
  readonly load: () => Promise<() => Promise<Record<string, unknown>>>;
}

const BENCHES: Readonly<Record<string, Bench>> = {
  log: {
    about: "append, replay and growth of the log against the bare driver",
    load: async () => (await import("./log.ts")).log,
  },
  fanout: {
    about: "1,000 SSE subscribers against a bare node:http broadcast",
    load: async () => (await import("./fanout.ts")).fanout,
  },
  ahp: {
    about: "the Agent Harness Protocol on each transport against raw JSON",
    load: async () => (await import("./ahp.ts")).ahp,
  },
  turn: {
    about: "a turn with one tool, and one of 200 words, against the same calls with no framework",
    load: async () => (await import("./turn.ts")).turn,
  },
  sessions: {
    about: "10,000 sessions that wait for people: memory, start-up and lists",
    load: async () => (await import("./sessions.ts")).sessions,
  },
  cockpit: {
    about: "the web page with 100,000 events against 1,000, and while it streams",
    load: async () => (await import("./cockpit.ts")).cockpit,
  },
  recovery: {
    about: "how long sessions of a killed process stand still, on PostgreSQL",
    load: async () => (await import("./recovery.ts")).recovery,
  },
  guard: {
    about: "right and wrong calls of the function calling leaderboard (--data DIR)",
    load: async () => (await import("./guard.ts")).guard,
  },
  context: {
    about: "retrieval over 5,000 files, and compaction of a long conversation",
    load: async () => (await import("./context.ts")).context,
  },
};

const name = process.argv[2] ?? "";
const bench = Object.hasOwn(BENCHES, name) ? BENCHES[name] : undefined;
if (bench === undefined) {
  console.error("usage: npm run bench -- NAME\n");
  for (const [known, { about }] of Object.entries(BENCHES)) console.error(`  ${known.padEnd(8)} ${about}`);
  process.exit(name === "" || name === "--help" ? 0 : 2);
}
const run = await bench.load();
console.log(JSON.stringify(await run()));
process.exit();
