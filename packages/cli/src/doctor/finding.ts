import type { Host } from "../host.ts";
import type { Place } from "../place.ts";

/** What one look found, and what to do about it. */
export interface Finding {
  readonly name: string;
  /** `warn` works, but not as it should; `fail` does not work. */
  readonly status: "ok" | "warn" | "fail";
  readonly detail: string;
  readonly mend?: string;
}

export interface Look {
  readonly host: Host;
  readonly place: Place;
  readonly address: string;
  readonly port: number;
}

/** Looks and changes nothing that stays. Does not reject: what it cannot find out is a finding. */
export type Check = (look: Look) => Promise<readonly Finding[]>;

export const ok = (name: string, detail: string): Finding => ({ name, status: "ok", detail });
export const warn = (name: string, detail: string, mend: string): Finding => ({
  name,
  status: "warn",
  detail,
  mend,
});
export const fail = (name: string, detail: string, mend: string): Finding => ({
  name,
  status: "fail",
  detail,
  mend,
});

/** An error as a finding; those of ours say themselves how to mend it. */
export function failed(name: string, error: unknown, mend: string): Finding {
  const { message, hint } = error as { message?: string; hint?: string };
  return fail(name, message ?? String(error), hint ?? mend);
}
