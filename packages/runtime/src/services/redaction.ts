/** Takes secrets out of JSON text: the log's own, for what must be known before the log does it. */
export interface Redactor {
  redact(dataJson: string): string;
}

/** The value as a reader of the log will see it. */
export function redacted<T>(redactor: Redactor, value: T): T {
  return JSON.parse(redactor.redact(JSON.stringify(value))) as T;
}
