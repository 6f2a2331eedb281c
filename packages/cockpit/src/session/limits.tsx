import type { HealthPolicy, RouteReply } from "@fairlead/contract";
import { useEffect, useRef, useState } from "react";
import { useAct } from "../lib/act.ts";
import { LEFT } from "../lib/acts.ts";
import { call } from "../lib/api.ts";
import { useAsked } from "../lib/asked.ts";
import { BudgetFields } from "../start/budget.tsx";
import { Choice } from "../start/choice.tsx";
import { type Budget, isSound, LIMIT_NAMES, NO_BUDGET, policyOf } from "../start/limits.ts";
import { useMay } from "../state/me.ts";
import { Icon } from "../ui/icon.tsx";
import { ASKS, MAY } from "../ui/modes.ts";
import { Note, ProblemNote } from "../ui/parts.tsx";

type Row = RouteReply<"getSession">;

/** What a session may do and is held to, changed from wherever that stops it. */
export function LimitsButton({ sessionId }: { readonly sessionId: string }) {
  const [open, setOpen] = useState(false);
  if (!useMay("operator")) return null;
  return (
    <>
      <button type="button" className="button" title="Limits and modes" onClick={() => setOpen(true)}>
        <Icon name="shield" /> Limits and modes
      </button>
      {open ? <LimitsDialog sessionId={sessionId} onClose={() => setOpen(false)} /> : null}
    </>
  );
}

export function LimitsDialog({
  sessionId,
  onClose,
}: {
  readonly sessionId: string;
  readonly onClose: () => void;
}) {
  const dialog = useRef<HTMLDialogElement>(null);
  const { found, problem } = useAsked(sessionId, null, (signal) =>
    call("getSession", { params: { id: sessionId }, query: { limit: 1 }, signal }),
  );
  const row = found?.value ?? null;
  useEffect(() => dialog.current?.showModal(), []);
  return (
    <dialog ref={dialog} aria-label="Limits and modes" onClose={onClose}>
      <div className="dialog-body">
        <h2>Limits and modes</h2>
        {problem === null ? null : <ProblemNote problem={problem} />}
        {row === null ? null : <LimitsForm row={row} onDone={() => dialog.current?.close()} />}
        {row === null ? (
          <div className="row">
            <button type="button" className="button" onClick={() => dialog.current?.close()}>
              Close
            </button>
          </div>
        ) : null}
      </div>
    </dialog>
  );
}

/** The policy as one types it. */
function typed(policy: HealthPolicy): Budget {
  const limits = LIMIT_NAMES.flatMap((name) =>
    policy[name] === undefined ? [] : [[name, String(policy[name])]],
  );
  return {
    ...NO_BUDGET,
    ...(Object.fromEntries(limits) as Partial<Budget>),
    action: policy.action ?? NO_BUDGET.action,
  };
}

/** What is empty is taken away: what is left out would stay. */
function changeOf(budget: Budget) {
  const health = policyOf(budget)?.health;
  const none = Object.fromEntries(LIMIT_NAMES.map((name) => [name, null]));
  return health === undefined ? null : { ...none, ...health };
}

function LimitsForm({ row, onDone }: { readonly row: Row; readonly onDone: () => void }) {
  const { session_id: id, kind, status, state } = row;
  const held = ((state?.metadata as { policy?: { health?: HealthPolicy } } | null | undefined)?.policy
    ?.health ?? {}) as HealthPolicy;
  const [may, setMay] = useState((state?.permission_mode ?? "normal") as keyof typeof MAY);
  const [asks, setAsks] = useState((state?.approval_mode ?? "on_request") as keyof typeof ASKS);
  const [budget, setBudget] = useState(() => typed(held));
  const { busy, problem, act } = useAct();
  const modes = {
    ...(may === state?.permission_mode ? {} : { permission_mode: may }),
    ...(asks === state?.approval_mode ? {} : { approval_mode: asks }),
  };
  const moved = JSON.stringify(budget) !== JSON.stringify(typed(held));

  const save = (resume: boolean): Promise<void> =>
    act([modes, budget, resume], async (idempotencyKey) => {
      const params = { id };
      if (Object.keys(modes).length > 0) await call("configureChatSession", { params, body: modes });
      if (moved) await call("setSessionPolicy", { params, body: { health: changeOf(budget) } });
      const body = { reason: "Its limits were changed." };
      if (resume) await call("resumeSession", { params, body, idempotencyKey });
      onDone();
      return LEFT;
    });

  const sound = isSound(budget);
  const changed = moved || Object.keys(modes).length > 0;
  return (
    <form
      className="stack"
      onSubmit={(event) => {
        event.preventDefault();
        if (sound && changed && !busy) void save(false);
      }}
    >
      <Choice label="What it may do by itself" value={may} options={MAY} onChange={setMay} />
      <Choice label="What it asks" value={asks} options={ASKS} onChange={setAsks} />
      <BudgetFields
        budget={budget}
        onChange={setBudget}
        kind={kind === "background" ? "background" : "chat"}
      />
      {sound ? null : (
        <Note tone="bad">One of the limits is no number that it can be held to: see above.</Note>
      )}
      {problem === null ? null : <ProblemNote problem={problem} />}
      <div className="row wrap dialog-actions">
        <button type="submit" className="button primary" disabled={busy || !sound || !changed}>
          Save
        </button>
        {status === "paused" ? (
          <button type="button" className="button" disabled={busy || !sound} onClick={() => void save(true)}>
            <Icon name="play" /> Save and resume
          </button>
        ) : null}
        <button type="button" className="button quiet" onClick={onDone}>
          Back
        </button>
      </div>
    </form>
  );
}
