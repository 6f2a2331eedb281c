import type { Command } from "commander";
import {
  action,
  type CommonOptions,
  type Context,
  newCommand,
  placeOptions,
  type Setup,
} from "../command.ts";
import { checkClock } from "../doctor/clock.ts";
import { checkConfig } from "../doctor/config.ts";
import { checkDirectory } from "../doctor/directory.ts";
import { type Check, failed, type Finding, type Look } from "../doctor/finding.ts";
import { checkKeys } from "../doctor/keys.ts";
import { checkNode } from "../doctor/node.ts";
import { checkPort } from "../doctor/port.ts";
import { checkPostgres } from "../doctor/postgres.ts";
import type { Output } from "../output.ts";
import { parsePort } from "../parse.ts";
import { type Place, type PlaceOptions, placeOf } from "../place.ts";
import { printable } from "../text.ts";

interface DoctorOptions extends PlaceOptions, CommonOptions {
  readonly host: string;
  readonly port: number;
}

const CHECKS: readonly Check[] = [
  checkConfig,
  checkDirectory,
  checkPostgres,
  checkKeys,
  checkPort,
  checkClock,
];
const COLOURS = { ok: "green", warn: "yellow", fail: "red" } as const;
const NAME_WIDTH = 14;

export function doctorCommand(setup: Setup): Command {
  const command = newCommand("doctor", "Say what is wrong with this machine, and how to mend it.", [
    "doctor",
    "doctor --data ~/agents --port 4700",
    "doctor --json",
  ]);
  return placeOptions(command)
    .option("--host <address>", "address that a server would listen on", "127.0.0.1")
    .option("--port <number>", "port that a server would listen on", parsePort, 4680)
    .action(action(setup, doctor));
}

async function doctor({ host, out }: Context, options: DoctorOptions): Promise<number> {
  const findings = await checkNode();
  const place = placeOrFinding(() => placeOf(host, options, host.cwd));
  if ("status" in place) findings.push(place);
  else {
    const look: Look = { host, place, address: options.host, port: options.port };
    for (const check of CHECKS) findings.push(...(await check(look)));
  }
  const healthy = findings.every(({ status }) => status !== "fail");
  if (out.json) await out.value({ ok: healthy, checks: findings });
  else for (const finding of findings) await out.line(findingLine(finding, out));
  return healthy ? 0 : 1;
}

function placeOrFinding(find: () => Place): Place | Finding {
  try {
    return find();
  } catch (error) {
    if ((error as { exitCode?: number }).exitCode === 2) throw error;
    return failed("places", error, "Choose another directory with --data.");
  }
}

function findingLine({ name, status, detail, mend }: Finding, out: Output): string {
  const head = `${out.paint(COLOURS[status], status.padEnd(4))}  ${name.padEnd(NAME_WIDTH)}  ${printable(detail)}`;
  return mend === undefined ? head : `${head}\n${" ".repeat(NAME_WIDTH + 8)}${out.dim(mend)}`;
}
