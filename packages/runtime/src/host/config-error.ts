/** Something about this machine or its settings is wrong, and the person at it can mend it. */
export class ConfigError extends Error {
  override readonly name = "ConfigError";
  readonly hint: string;

  constructor(message: string, hint: string, options?: ErrorOptions) {
    super(message, options);
    this.hint = hint;
  }
}
