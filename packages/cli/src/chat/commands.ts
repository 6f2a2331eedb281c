import { APPROVAL_MODES, PERMISSION_MODES, type RouteBody, THINK_LEVELS } from "@fairlead/contract";
import type { Backend } from "../backend.ts";
import type { Conversation, Settings } from "./conversation.ts";
import { costLines, verifyLines } from "./reports.ts";
import { helpLines } from "./help.ts";
import { pickModel } from "./pick-model.ts";
import { pickPlace, pickSession } from "./pick-session.ts";
import { type Slash, SLASH_COMMANDS } from "./slash.ts";
import { line } from "./span.ts";
import { taskLines } from "./task-lines.ts";
import type { Ui } from "./ui.ts";

/** What a command works on. */
export interface Desk {
  readonly ui: Ui;
  readonly backend: Backend;
  readonly conversation: Conversation;
  /** Shows a session that was just opened. */
  resume(ref: string): Promise<void>;
  fresh(settings: Settings): void;
  quit(): void;
}

type Run = (desk: Desk, rest: string) => Promise<void> | void;

const RUNS: Readonly<Record<string, Run>> = {
  help: ({ ui }) => ui.print(helpLines(ui.width)),
  async model({ ui, backend, conversation }, rest) {
    const model = rest === "" ? await pickModel(ui, backend, conversation.view.model) : rest;
    if (model !== undefined) await configure(conversation, ui, { model });
  },
  mode: (desk, rest) =>
    setting(desk, "permission_mode", "What may it do by itself?", PERMISSION_MODES, MODES, rest),
  approval: (desk, rest) =>
    setting(desk, "approval_mode", "What are you asked?", APPROVAL_MODES, APPROVALS, rest),
  think: (desk, rest) => setting(desk, "think_level", "How much does it think?", THINK_LEVELS, {}, rest),
  async queue({ ui, conversation }, rest) {
    if (rest === "") return ui.print([line("Say what: /queue TEXT", "yellow")]);
    await conversation.queue(rest);
  },
  tasks({ ui, conversation }) {
    const { tasks } = conversation.view;
    ui.print(
      tasks.length === 0
        ? [line("No tasks. An agent lists them for work of several steps.", "dim")]
        : taskLines(tasks, ui.width, tasks.length),
    );
  },
  async sessions(desk) {
    const ref = await pickSession(desk.ui, desk.backend, desk.conversation.session);
    if (ref !== undefined) await desk.resume(ref);
  },
  async branch(desk) {
    const ref = await pickPlace(desk.ui, desk.backend, desk.conversation);
    if (ref !== undefined) await desk.resume(ref);
  },
  new(desk, rest) {
    const { model, permissionMode, approvalMode, thinkLevel } = desk.conversation.view;
    desk.fresh(
      chosen({
        title: rest,
        permission_mode: permissionMode,
        approval_mode: approvalMode,
        think_level: thinkLevel,
        model,
      }),
    );
  },
  cost: ({ ui, conversation }) => ui.print(costLines(conversation.view, ui.width)),
  async verify({ ui, backend, conversation }) {
    if (conversation.session === null) return ui.print([line("Nothing is recorded yet.", "dim")]);
    ui.print(verifyLines(await backend.verify(conversation.session, () => {}), ui.width));
  },
  quit: (desk) => desk.quit(),
};

export async function runSlash(desk: Desk, { name, rest }: Slash): Promise<void> {
  const run = Object.hasOwn(RUNS, name) ? RUNS[name] : undefined;
  if (run !== undefined) return run(desk, rest);
  const near = SLASH_COMMANDS.find((command) => command.name.startsWith(name.slice(0, 2)));
  const hint = near === undefined ? "/help lists them." : `Did you mean /${near.name}?`;
  desk.ui.print([line(`There is no /${name}. ${hint}`, "yellow")]);
}

/** Only what was said: an empty value stands for what the server takes by itself. */
function chosen(values: Readonly<Record<string, string | null>>): Settings {
  return Object.fromEntries(
    Object.entries(values).filter(([, value]) => value !== null && value !== ""),
  ) as Settings;
}

const MODES: Readonly<Record<string, string>> = {
  plan: "reads only",
  normal: "asks before it changes something",
  accept_edits: "edits files here without asking",
  full_access: "runs everything without asking",
};

const APPROVALS: Readonly<Record<string, string>> = {
  always: "all that can change something",
  on_request: "what the mode leaves open",
  on_escalation: "only what a rule escalates",
  never: "nothing: what would be asked is denied",
};

async function setting(
  { ui, conversation }: Desk,
  name: "permission_mode" | "approval_mode" | "think_level",
  title: string,
  values: readonly string[],
  about: Readonly<Record<string, string>>,
  rest: string,
): Promise<void> {
  if (rest !== "" && !values.includes(rest))
    return ui.print([line(`${rest} is none of ${values.join(", ")}.`, "yellow")]);
  const options = values.map((value) => ({ value, label: value, about: about[value] ?? "" }));
  const value = rest === "" ? await ui.pick(title, options) : rest;
  if (value !== undefined) await configure(conversation, ui, { [name]: value });
}

async function configure(
  conversation: Conversation,
  ui: Ui,
  changes: RouteBody<"configureChatSession">,
): Promise<void> {
  await conversation.configure(changes);
  const said = Object.entries(changes).map(([name, value]) => `${name.replaceAll("_", " ")} is ${value}`);
  ui.print([line(`${said.join(", ")} from the next step on.`, "dim")]);
}
