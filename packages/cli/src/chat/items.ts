import type { QuestionRow, TurnStatus } from "@fairlead/contract";

/** Keeps its key for good. `final`: nothing of it changes any more, so it can be printed. */
interface Entry {
  readonly key: string;
  readonly final: boolean;
}

/** What a person said: as a turn, to the open one, or for after it. */
export interface SaidItem extends Entry {
  readonly kind: "said";
  readonly text: string;
  readonly how: "turn" | "steer";
}

/** Text of the model, cut into blocks as they are finished. */
export interface TextItem extends Entry {
  readonly kind: "text";
  readonly blocks: readonly string[];
  readonly tail: string;
  readonly step: number | undefined;
  /** Shown before it was known that the call is made again. */
  readonly superseded: boolean;
}

export interface ThinkingItem extends Entry {
  readonly kind: "thinking";
  readonly text: string;
}

export type ToolState = "running" | "ok" | "error" | "timeout" | "denied" | "artifact" | "invalid" | "lost";

export interface ToolItem extends Entry {
  readonly kind: "tool";
  readonly name: string;
  readonly args: Readonly<Record<string, unknown>>;
  readonly state: ToolState;
  /** This machine's time in milliseconds. */
  readonly since: number;
  readonly elapsed: number | undefined;
  readonly error: string | undefined;
}

/** Something a person must decide. Final once all of what is shown was fetched. */
export interface QuestionItem extends Entry {
  readonly kind: "question";
  readonly requestId: string;
  readonly tool: string;
  readonly row: QuestionRow | undefined;
}

export interface DecidedItem extends Entry {
  readonly kind: "decided";
  readonly tool: string;
  readonly decision: string;
  readonly actor: string;
  readonly note: string | undefined;
  readonly scope: string | undefined;
  /** To a question that wanted more than a yes. */
  readonly answer: string | undefined;
}

export interface EndItem extends Entry {
  readonly kind: "end";
  readonly status: TurnStatus;
  readonly reason: string | undefined;
  readonly elapsed: number;
}

/** Beside the conversation: a warning, a compaction, a delegated piece of work. */
export interface NoteItem extends Entry {
  readonly kind: "note";
  readonly text: string;
  readonly tone: "calm" | "warning" | "bad";
}

export interface TasksItem extends Entry {
  readonly kind: "tasks";
  readonly tasks: readonly Task[];
}

export interface Task {
  readonly title: string;
  readonly status: string;
}

export type Item =
  | SaidItem
  | TextItem
  | ThinkingItem
  | ToolItem
  | QuestionItem
  | DecidedItem
  | EndItem
  | NoteItem
  | TasksItem;
