/** Tells a request on its way out how long its answer may be at most, thinking included. Sent to nobody. */
const MOST = "x-fairlead-most-output";

/** Anthropic takes no less for thinking. */
const LEAST_THINKING = 1_024;

export function mostHeader(most: number | undefined): Record<string, string> {
  return most === undefined ? {} : { [MOST]: String(most) };
}

/**
 * The SDK puts what a model may think on top of what its answer may be, so that a budget would be passed by as much: both
 * are brought back under what was put aside for the call.
 */
export function holdingFetch(next: typeof fetch): typeof fetch {
  return (input, init = {}) => {
    const { [MOST]: most, ...headers } = (init.headers ?? {}) as Record<string, string>;
    if (most === undefined || typeof init.body !== "string") return next(input, init);
    return next(input, { ...init, headers, body: heldTo(init.body, Number(most)) });
  };
}

interface Asked {
  readonly max_tokens: number;
  readonly thinking?: { readonly type: string; readonly budget_tokens?: number };
}

export function heldTo(body: string, most: number): string {
  const asked = JSON.parse(body) as Asked;
  if (asked.max_tokens <= most) return body;
  const { thinking } = asked;
  const before = thinking?.budget_tokens;
  if (before === undefined) return JSON.stringify({ ...asked, max_tokens: most });
  // In the same parts as before; where its part is too small to be taken, it answers without.
  const budget_tokens = Math.floor((before * most) / asked.max_tokens);
  const held = budget_tokens < LEAST_THINKING ? { type: "disabled" } : { ...thinking, budget_tokens };
  return JSON.stringify({ ...asked, max_tokens: most, thinking: held });
}
