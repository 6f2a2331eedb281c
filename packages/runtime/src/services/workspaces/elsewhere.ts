import { FairleadError } from "@fairlead/contract";

/** Whether what works in files of `host` has to be left to other processes. What was made before hosts had names is not. */
export function isElsewhere(host: string | null | undefined, own: string | undefined): boolean {
  return host !== null && host !== undefined && host !== own;
}

/** Says which machine has the files. */
export function elsewhere(host: string | null | undefined): FairleadError {
  if (host === null || host === undefined) return new FairleadError("workspace_unavailable");
  return new FairleadError("workspace_unavailable", {
    message: `The files of this session are on ${host}, and not here.`,
    details: { workspace_host: host },
  });
}
