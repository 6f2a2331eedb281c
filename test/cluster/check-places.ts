// What must hold of files, whichever processes wrote them and died. Pure: a list of what does not.
import type { AnyEvent, ChangeArtifact } from "@fairlead/contract";
import { dataOf } from "../chaos/end.ts";
import type { Deed } from "../chaos/ledger.ts";
import { putFile, SENT } from "./traces.ts";

/** Where a session works, and the files there with what is in them. */
export interface PlaceSeen {
  readonly stream: string;
  readonly path: string | null;
  readonly files: Readonly<Record<string, string>>;
}

export interface Traces {
  readonly places: readonly PlaceSeen[];
  /** Of the repository: names and commits. */
  readonly branches: ReadonlyMap<string, string>;
}

export interface Placed extends Traces {
  readonly events: readonly AnyEvent[];
  readonly deeds: readonly Deed[];
}

/** What is there from the beginning. */
const PROJECT: ReadonlySet<string> = new Set(["begun.txt", "fairlead.yaml"]);

/** In sentences; nothing where all of it holds. */
export function misplaced({ events, deeds, places, branches }: Placed): string[] {
  const logs = Map.groupBy(events, ({ stream }) => stream as string);
  const done = Map.groupBy(deeds, ({ session_id }) => session_id);
  const paths = places.map(({ path }) => path);
  return places.flatMap((place) => {
    const own = logs.get(place.stream) ?? [];
    return [
      ...(place.path === null ? ["has no place of its own"] : []),
      ...(paths.indexOf(place.path) === paths.lastIndexOf(place.path) ? [] : ["shares its place"]),
      ...wrongFiles(place, own, done.get(place.stream) ?? []),
      ...wrongOffer(own, branches),
    ].map((problem) => `${place.stream}: ${problem}`);
  });
}

interface Written {
  readonly tool: unknown;
  readonly call: string;
  /** Its process was lost at some time: what was said of it then counts. */
  readonly lost: boolean;
}

/** The calls that write and are said to have worked. */
function written(events: readonly AnyEvent[]): readonly Written[] {
  const lost = new Set(dataOf(events, "runtime.effect.verdict").map(({ tool_call_id }) => tool_call_id));
  return dataOf(events, "agent.tool.outcome")
    .filter(({ status, tool_name }) => status === "ok" && (tool_name === "put" || tool_name === "send"))
    .map(({ tool_name, tool_call_id }) => ({
      tool: tool_name,
      call: String(tool_call_id),
      lost: lost.has(tool_call_id),
    }));
}

function wrongFiles({ files }: PlaceSeen, events: readonly AnyEvent[], deeds: readonly Deed[]): string[] {
  const sent = (files[SENT] ?? "").split("\n").filter(Boolean);
  const calls = new Set(dataOf(events, "agent.tool.start").map(({ tool_call_id }) => String(tool_call_id)));
  const known = new Set([...PROJECT, SENT, ...[...calls].map(putFile)]);
  return [
    ...Object.keys(files).flatMap((name) => (known.has(name) ? [] : [`${name} is not its own`])),
    ...sent.flatMap((call) => (calls.has(call) ? [] : [`${call} was sent from here, and is not its own`])),
    ...(files["begun.txt"] === "begun" ? [] : ["has not the files of the project"]),
    ...written(events).flatMap(({ tool, call, lost }) => {
      if (tool === "put") return files[putFile(call)] === call ? [] : [`what ${call} put is not there`];
      const times = sent.filter((one) => one === call).length;
      const ran = deeds.filter(({ tool_call_id }) => tool_call_id === call).length;
      // Who dies between its line in the ledger and the one in the file leaves only the first.
      const right = lost ? times <= ran : times === 1;
      return right ? [] : [`${call} left ${times} lines of the ${ran} times that it ran`];
    }),
  ];
}

/** At the end the change was offered, with all that is known to have been written, and nothing of others. */
function wrongOffer(events: readonly AnyEvent[], branches: ReadonlyMap<string, string>): string[] {
  const change = dataOf(events, "runtime.artifact.created")
    .map(({ artifact }) => artifact as ChangeArtifact)
    .findLast(({ kind }) => kind === "workspace_change");
  if (change === undefined) return ["offers no change"];
  const offered = new Set(change.files.map(({ path }) => path));
  const own = written(events);
  const due = own.flatMap(({ tool, call, lost }) => (tool === "put" ? [putFile(call)] : lost ? [] : [SENT]));
  const may = new Set([SENT, ...own.map(({ call }) => putFile(call))]);
  const { branch, commit } = change;
  return [
    ...due.filter((name) => !offered.has(name)).map((name) => `${name} is not in the change`),
    ...[...offered].filter((name) => !may.has(name)).map((name) => `${name} in the change is not its own`),
    ...(branch === null || branches.get(branch) === commit
      ? []
      : [`the branch ${branch} is not what was offered`]),
  ];
}
