import { worded } from "./json.ts";

const VERDICTS: Readonly<Record<string, string>> = {
  safe: "nothing was lost",
  rerun: "run again",
  ask: "a person is asked",
  happened: "it had happened",
  run_again: "run again on a person's word",
  give_up: "given up on a person's word",
};

/** What is done about a call whose process was lost. */
export function verdictInWords(verdict: string): string {
  return Object.hasOwn(VERDICTS, verdict) ? VERDICTS[verdict]! : worded(verdict);
}
