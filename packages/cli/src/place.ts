import { existsSync, realpathSync } from "node:fs";
import { Failure } from "./failure.ts";
import { type Host, pathsOf } from "./host.ts";

/** Options that every command has which reads or writes the log. */
export interface PlaceOptions {
  readonly data?: string;
  readonly store?: string;
}

/** Which log, and where its keys are. */
export type Place = {
  /** Keys and credentials of this user. */
  readonly config: string;
} & (
  | { readonly kind: "sqlite"; readonly data: string }
  | { readonly kind: "postgres"; readonly url: string }
);

export function placeOf(host: Host, options: PlaceOptions, workspace?: string): Place {
  const { data, config } = pathsOf(host, options.data, workspace);
  const url = options.store ?? (options.data === undefined ? host.env["FAIRLEAD_STORE"] : undefined);
  if (url !== undefined && url !== "") {
    if (options.data !== undefined) throw new Failure("usage", "Give --data or --store, not both.");
    if (!/^postgres(ql)?:\/\//.test(url)) {
      throw new Failure("usage", "--store takes postgres://USER:PASSWORD@HOST:PORT/DATABASE.", {
        hint: "For the embedded store, name its directory with --data.",
      });
    }
    return { kind: "postgres", url, config };
  }
  return { kind: "sqlite", data: existsSync(data) ? realpathSync(data) : data, config };
}

/** The name under which a server of this place is found. Never holds a password. */
export async function nameOf(place: Place): Promise<string> {
  if (place.kind === "sqlite") return place.data;
  const { postgresName } = await import("@fairlead/runtime/inspect");
  return postgresName(place.url);
}
