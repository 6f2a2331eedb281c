import type { ModelRow } from "@fairlead/contract";

/** Its size, its price and whether it has a key, in a few words. */
export function aboutModel({ context_tokens, price, has_key }: ModelRow): string {
  const parts = [
    context_tokens === null ? undefined : `${inThousands(context_tokens)} tokens`,
    price === null ? undefined : `$${price.input} in, $${price.output} out a million`,
    has_key === false ? "no key" : undefined,
  ];
  return parts.filter((part) => part !== undefined).join(", ") || "-";
}

function inThousands(tokens: number): string {
  return tokens < 1_000 ? String(tokens) : `${Math.round(tokens / 1_000)}k`;
}
