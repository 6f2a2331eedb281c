import type { THINK_LEVELS } from "@fairlead/contract";
import { useId, useState } from "react";
import { useAct } from "../lib/act.ts";
import { LEFT } from "../lib/acts.ts";
import { call } from "../lib/api.ts";
import { sendOnCtrlEnter } from "../lib/ctrl-enter.ts";
import { navigate, pathOf } from "../lib/router.tsx";
import { useStore } from "../lib/store.ts";
import { useTitle } from "../lib/title.ts";
import { inbox } from "../state/inbox.ts";
import { ConnectionHint } from "../ui/connection-hint.tsx";
import { Icon } from "../ui/icon.tsx";
import { ASKS, MAY as MODES } from "../ui/modes.ts";
import { Note, ProblemNote } from "../ui/parts.tsx";
import { useMay } from "../state/me.ts";
import { CheckFields, NO_CHECK, requiresOf } from "./check.tsx";
import { Choice } from "./choice.tsx";
import { BudgetFields } from "./budget.tsx";
import { type Budget, isSound, NO_BUDGET, policyOf } from "./limits.ts";
import { startDemo } from "./demo.ts";
import { useModels } from "./models.ts";
import { WorkspaceField } from "./workspace.tsx";

const KINDS = {
  chat: "Chat: you say what comes next",
  background: "Background: works by itself, survives restarts",
} as const;
const THINKS = { off: "Off", low: "Low", medium: "Medium", high: "High" } as const satisfies Record<
  (typeof THINK_LEVELS)[number],
  string
>;

export function StartPage() {
  useTitle("New session");
  const id = useId();
  const may = useMay("operator");
  const { connection } = useStore(inbox);
  const [input, setInput] = useState("");
  const [kind, setKind] = useState<keyof typeof KINDS>("chat");
  const [budget, setBudget] = useState<Budget>(NO_BUDGET);
  const [workspace, setWorkspace] = useState("");
  const [check, setCheck] = useState(NO_CHECK);
  const models = useModels();
  const [title, setTitle] = useState("");
  const [model, setModel] = useState("");
  const [permission, setPermission] = useState<keyof typeof MODES>("normal");
  const [approval, setApproval] = useState<keyof typeof ASKS>("on_request");
  const [think, setThink] = useState<keyof typeof THINKS>("off");
  const [instructions, setInstructions] = useState("");
  // The same try keeps its name: sent again after a cut, it makes one session and one turn.
  const { busy, problem, act } = useAct();
  const [tried, setTried] = useState("");

  function start(): Promise<void> {
    setTried(workspace);
    const policy = policyOf(budget);
    const body = {
      title: title.trim() || input.trim().split("\n", 1)[0]!.slice(0, 80),
      permission_mode: permission,
      approval_mode: approval,
      think_level: think,
      ...(model.trim() === "" ? {} : { model: model.trim() }),
      ...(instructions.trim() === "" ? {} : { instructions }),
      ...(workspace.trim() === "" ? {} : { workspace: workspace.trim() }),
      ...(policy === undefined ? {} : { policy }),
    };
    const requires = requiresOf(check);
    const task = { ...body, task: input.trim(), ...(requires.length === 0 ? {} : { requires }) };
    return act([kind, task], async (key) => {
      const made =
        kind === "background"
          ? await call("startSession", { body: task, idempotencyKey: key })
          : await call("createChatSession", { body, idempotencyKey: key });
      const params = { id: made.session_id };
      if (kind !== "background")
        await call("startTurn", { params, body: { input: input.trim() }, idempotencyKey: `${key}-turn` });
      navigate(pathOf("session", params));
      return LEFT;
    });
  }

  // Of the directory: said at its field, and no more once another one is written there.
  const misplaced = problem?.code.startsWith("workspace_") === true;
  const elsewhere = misplaced && workspace === tried ? problem : null;
  const ready = input.trim() !== "" && isSound(budget);

  if (!may)
    return (
      <div className="page narrow">
        <Note>Your role may look, and not start sessions.</Note>
      </div>
    );
  return (
    <div className="page narrow">
      <ConnectionHint connection={connection} />
      <header className="page-head">
        <h1 className="grow">New session</h1>
        <button type="button" className="button" disabled={busy} onClick={() => void act("demo", startDemo)}>
          <Icon name="play" /> Try the demo
        </button>
      </header>
      <form
        className="card form stack"
        onKeyDown={sendOnCtrlEnter}
        onSubmit={(event) => {
          event.preventDefault();
          if (ready) void start();
        }}
      >
        <div className="field">
          <label htmlFor={`${id}-input`}>What should be done?</label>
          <textarea
            id={`${id}-input`}
            className="input"
            rows={4}
            required
            autoFocus
            value={input}
            onChange={(event) => setInput(event.target.value)}
          />
        </div>
        <div className="fields">
          <Choice label="Kind" value={kind} options={KINDS} onChange={setKind} />
          <Choice
            label="What it may do by itself"
            value={permission}
            options={MODES}
            onChange={setPermission}
          />
          <Choice label="What it asks" value={approval} options={ASKS} onChange={setApproval} />
          <Choice label="How much it thinks" value={think} options={THINKS} onChange={setThink} />
          <Choice label="Model" value={model} options={models} onChange={setModel} />
          <div className="field">
            <label htmlFor={`${id}-title`}>Title</label>
            <input
              id={`${id}-title`}
              className="input"
              placeholder="From what you ask for"
              maxLength={500}
              value={title}
              onChange={(event) => setTitle(event.target.value)}
            />
          </div>
        </div>
        <WorkspaceField value={workspace} problem={elsewhere} onChange={setWorkspace} />
        {kind === "background" ? <CheckFields check={check} onChange={setCheck} /> : null}
        <BudgetFields kind={kind} budget={budget} onChange={setBudget} />
        <details>
          <summary className="small">Instructions</summary>
          <div className="field">
            <label htmlFor={`${id}-instructions`}>What the agent is told before anything else</label>
            <textarea
              id={`${id}-instructions`}
              className="input"
              rows={4}
              value={instructions}
              onChange={(event) => setInstructions(event.target.value)}
            />
          </div>
        </details>
        {problem === null || misplaced ? null : <ProblemNote problem={problem} />}
        <div className="row form-end">
          <button type="submit" className="button primary" disabled={busy || !ready}>
            <Icon name="send" /> Start
          </button>
          {elsewhere === null ? null : <span className="small wrong">Not started: see the workspace.</span>}
        </div>
      </form>
    </div>
  );
}
