import { useStore } from "../lib/store.ts";
import { debugTier } from "../state/settings.ts";
import { Code } from "./code.tsx";

/** A payload as it is, to copy: for the debug tier alone. */
export function Raw({ value, label }: { readonly value: unknown; readonly label: string }) {
  return useStore(debugTier) ? <Code value={value} label={label} /> : null;
}
