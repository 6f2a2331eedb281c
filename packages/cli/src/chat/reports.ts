import type { Verification } from "../backend.ts";
import { columns } from "./help.ts";
import type { View } from "./model.ts";
import { type Line, line } from "./span.ts";
import { costText, tokens } from "./status-line.ts";

export function costLines({ usage, contextLimit }: View, width: number): Line[] {
  if (usage.calls === 0) return [line("Nothing was asked of a model yet.", "dim")];
  const context =
    contextLimit === null ? tokens(usage.context) : `${tokens(usage.context)} of ${tokens(contextLimit)}`;
  const rows: [string, string][] = [
    ["model calls", String(usage.calls)],
    [
      "tokens in",
      usage.cached === 0
        ? tokens(usage.input)
        : `${tokens(usage.input)}, ${tokens(usage.cached)} of them cached`,
    ],
    ["tokens out", tokens(usage.output)],
    ["context", `${context} after the last call`],
    ["cost", costText(usage) ?? "no price is known for this model"],
  ];
  return columns(rows, width);
}

export function verifyLines({ ok, events, broken }: Verification, width: number): Line[] {
  if (ok) return [line(`✓ The chain holds over ${events} events.`, "green")];
  return [
    line(`✗ The chain is broken in ${broken.length} places.`, "red"),
    ...columns(
      broken.slice(0, 10).map(({ seq, reason }) => [`event ${seq}`, reason]),
      width,
    ),
  ];
}
