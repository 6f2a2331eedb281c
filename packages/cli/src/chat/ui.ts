import type { Option } from "./picker.ts";
import type { Line } from "./span.ts";

/** What asks a person something. Each answer is undefined when they put it away, or when it is no longer asked. */
export interface Ui {
  readonly width: number;
  print(lines: readonly Line[]): void;
  ask(label: string, initial?: string, signal?: AbortSignal): Promise<string | undefined>;
  pick<T>(title: string, options: readonly Option<T>[], signal?: AbortSignal): Promise<T | undefined>;
  /** One of these keys. */
  key(question: Question, signal?: AbortSignal): Promise<string | undefined>;
  /** Text changed in an editor of the person's own; undefined when there is none. */
  external?(text: string): Promise<string | undefined>;
}

export interface Question {
  readonly title: string;
  /** Key and what it does. */
  readonly keys: readonly (readonly [string, string])[];
}
