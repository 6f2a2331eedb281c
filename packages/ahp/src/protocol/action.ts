/** What a `pre_action` payload says by convention; the payload itself is free-form. */
export interface Action {
  readonly toolName: string | undefined;
  readonly arguments: Record<string, unknown>;
}

export function actionOf(payload: unknown): Action {
  const { tool_name: toolName, arguments: args } = asRecord(payload);
  return {
    toolName: typeof toolName === "string" ? toolName : undefined,
    arguments: asRecord(args),
  };
}

function asRecord(value: unknown): Record<string, unknown> {
  return typeof value === "object" && value !== null ? (value as Record<string, unknown>) : {};
}
