import type { Item, Task } from "./items.ts";

export interface OpenTurn {
  readonly id: string;
  /** This machine's time in milliseconds. */
  readonly since: number;
  readonly parked: boolean;
}

export interface Waiting {
  readonly id: string;
  readonly mode: "queue" | "steer";
  readonly text: string;
}

export interface Usage {
  readonly input: number;
  readonly output: number;
  readonly cached: number;
  readonly calls: number;
  /** Undefined: no call had a known price. */
  readonly cost: number | undefined;
  /** What the last call read: how full the context is. */
  readonly context: number;
}

/** All that the screen shows of a session: a fold of its frames. */
export interface View {
  readonly seq: number;
  /** Not yet printed, or not yet forgotten. */
  readonly items: readonly Item[];
  readonly turn: OpenTurn | null;
  readonly tasks: readonly Task[];
  /** Said, and not yet heard. */
  readonly waiting: readonly Waiting[];
  /** Ids of questions without a decision, the oldest first. */
  readonly pending: readonly string[];
  readonly status: string;
  readonly title: string | null;
  readonly model: string | null;
  readonly permissionMode: string | null;
  readonly approvalMode: string | null;
  readonly thinkLevel: string | null;
  readonly workspace: string | null;
  readonly usage: Usage;
  readonly contextLimit: number | null;
  readonly lastThinking: string;
  /** Arguments of the calls that the model asked for last, by their id. */
  readonly calls: Readonly<Record<string, string>>;
  /** Calls that a person was asked about, by the question's id. */
  readonly asked: Readonly<Record<string, string>>;
  /** Calls that got no yes: their row would only say it again. */
  readonly refused: readonly string[];
}
