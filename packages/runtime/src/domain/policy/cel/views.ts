import type { AhpEvent, SessionStats } from "@fairlead/ahp";
import type { Action, ActionCommand } from "../action/action.ts";
import { readAction } from "../action/reading.ts";
import type { Amounts, Budget, HistoryCounts, PolicyInput } from "../input.ts";
import { REST } from "../input.ts";

// What conditions see. Classes, because that is how the CEL engine tells its types apart; views, because
// nothing is copied: a field is looked at when a condition asks for it. Whole numbers are bigint there.

export class EventView {
  readonly #event: AhpEvent;
  constructor(event: AhpEvent) {
    this.#event = event;
  }
  get event_type(): string {
    return this.#event.event_type;
  }
  get session_id(): string {
    return this.#event.session_id;
  }
  get agent_id(): string {
    return this.#event.agent_id;
  }
  get timestamp(): string {
    return this.#event.timestamp;
  }
  get depth(): bigint {
    return BigInt(this.#event.depth);
  }
  get payload(): unknown {
    return this.#event.payload;
  }
  get context(): unknown {
    return this.#event.context;
  }
  get metadata(): unknown {
    return this.#event.metadata;
  }
}

export class StatsView {
  readonly #stats: SessionStats;
  constructor(stats: SessionStats) {
    this.#stats = stats;
  }
  get total_actions(): bigint {
    return BigInt(this.#stats.total_actions);
  }
  get total_tokens(): bigint {
    return BigInt(this.#stats.total_tokens);
  }
  get duration_ms(): bigint {
    return BigInt(this.#stats.duration_ms);
  }
  get error_count(): bigint {
    return BigInt(this.#stats.error_count);
  }
}

/** An amount that is not there is not limited; has() tells. */
export class AmountsView {
  readonly #amounts: Partial<Amounts>;
  constructor(amounts: Partial<Amounts>) {
    this.#amounts = amounts;
  }
  get tokens(): number | undefined {
    return this.#amounts.tokens;
  }
  get cost_usd(): number | undefined {
    return this.#amounts.cost_usd;
  }
  get actions(): number | undefined {
    return this.#amounts.actions;
  }
  get duration_ms(): number | undefined {
    return this.#amounts.duration_ms;
  }
}

export class BudgetView {
  readonly #budget: Budget;
  constructor(budget: Budget) {
    this.#budget = budget;
  }
  get limits(): AmountsView {
    return new AmountsView(this.#budget.limits);
  }
  get used(): AmountsView {
    return new AmountsView(this.#budget.used);
  }
  /** How much of each limit is used, 1 for all of it; 0 where there is no limit. */
  get share(): AmountsView {
    const { limits, used } = this.#budget;
    const share = (name: keyof Amounts): number => {
      const limit = limits[name];
      if (limit === undefined) return 0;
      return limit > 0 ? used[name] / limit : 1;
    };
    return new AmountsView({
      tokens: share("tokens"),
      cost_usd: share("cost_usd"),
      actions: share("actions"),
      duration_ms: share("duration_ms"),
    });
  }
}

export class HistoryView {
  readonly #counts: HistoryCounts;
  constructor(counts: HistoryCounts) {
    this.#counts = counts;
  }
  /** A name that was never counted counts 0; where some names are counted together, as often as all of those. */
  count(of: keyof HistoryCounts, name: string): bigint {
    const counts = this.#counts[of];
    const key = Object.hasOwn(counts, name) ? name : REST;
    return Object.hasOwn(counts, key) ? BigInt(counts[key] ?? 0) : 0n;
  }
}

export class CommandView {
  readonly #command: ActionCommand;
  constructor(command: ActionCommand) {
    this.#command = command;
  }
  get name(): string {
    return this.#command.name;
  }
  get words(): readonly string[] {
    return this.#command.words;
  }
  get line(): string {
    return [this.#command.name, ...this.#command.words.slice(1)].join(" ");
  }
  get input(): string {
    return this.#command.input;
  }
  get computed(): boolean {
    return this.#command.computed;
  }
  get paths(): readonly string[] {
    return this.#command.paths;
  }
  get outside(): readonly string[] {
    return this.#command.outside;
  }
  feeds(names: readonly unknown[]): boolean {
    return names.some((name) => typeof name === "string" && this.#command.into.has(name));
  }
  /** Whether an option is given: a long one as itself or with `=`, a short one also in a cluster such as `-rf`. */
  flag(option: string): boolean {
    const end = this.#command.words.indexOf("--");
    const words = end === -1 ? this.#command.words : this.#command.words.slice(0, end);
    const letter = /^-[^-]$/.test(option) ? option[1] : undefined;
    return words.some(
      (word) =>
        word === option ||
        word.startsWith(`${option}=`) ||
        (letter !== undefined && /^-[^-]/.test(word) && word.slice(1).includes(letter)),
    );
  }
}

export class ActionView {
  readonly #event: AhpEvent;
  readonly #workspace: string | undefined;
  readonly #believed: boolean;
  #read: Action | undefined;
  #views: readonly CommandView[] | undefined;
  constructor(event: AhpEvent, workspace: string | undefined, believed: boolean) {
    this.#event = event;
    this.#workspace = workspace;
    this.#believed = believed;
  }
  get #action(): Action {
    return (this.#read ??= readAction(this.#event, this.#workspace, this.#believed));
  }
  get tool(): string {
    return this.#action.tool;
  }
  get text(): string {
    return this.#action.text;
  }
  get readable(): boolean {
    return this.#action.readable;
  }
  get commands(): readonly CommandView[] {
    return (this.#views ??= this.#action.commands.map((command) => new CommandView(command)));
  }
  get paths(): readonly string[] {
    return this.#action.paths;
  }
  get outside(): readonly string[] {
    return this.#action.outside;
  }
  get urls(): readonly string[] {
    return this.#action.urls;
  }
  get workspace(): string {
    return this.#action.workspace;
  }
}

export interface ConditionContext {
  readonly event: EventView;
  readonly stats: StatsView;
  readonly budget: BudgetView;
  readonly history: HistoryView;
  readonly action: ActionView;
}

export function contextOf(input: PolicyInput): ConditionContext {
  const { event, stats, budget, history, workspace, believe_workspace = false } = input;
  return {
    event: new EventView(event),
    stats: new StatsView(stats),
    budget: new BudgetView(budget),
    history: new HistoryView(history),
    action: new ActionView(event, workspace, believe_workspace),
  };
}
