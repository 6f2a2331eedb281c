import type { Delegation, NewEvent, SessionId } from "@fairlead/contract";
import type { Modes } from "../../domain/approval/types.ts";
import { hashJson } from "../../domain/canonical.ts";
import { childEvents } from "../../domain/delegation/child.ts";
import { type Order, readOrder } from "../../domain/delegation/order.ts";
import { modesOfChild, toolsOfChild } from "../../domain/delegation/narrow.ts";
import { delegationOf } from "../../domain/delegation/surface.ts";
import { given } from "../../domain/given.ts";
import type { CallState } from "../../domain/loop/state.ts";
import type { Model } from "../../ports/model.ts";
import { owedHooks } from "../hooks/in-turn.ts";
import { type Drive, depthOf, envelopeOf, turnOf } from "../loop/context.ts";
import { finishedEvents } from "../loop/records.ts";
import { refOf } from "../models.ts";
import { redacted } from "../redaction.ts";
import { failure } from "../tools/outcome.ts";
import { budgetsFor } from "./budget.ts";
import { modesNow } from "./modes.ts";

/** What can be started, checked against what the session may give away. */
interface Ready {
  readonly call: CallState;
  readonly order: Order;
  readonly model: Model;
  readonly tools: readonly string[] | undefined;
}

/**
 * Starts a sub-agent for each of these calls, whose `tool_batch` is durable. Their sessions and the word here that they
 * were started are one commit, under a key of the call: whoever finds the call without that word may try again.
 */
export async function startChildren(drive: Drive, calls: readonly CallState[]): Promise<void> {
  const { journal, children, signal, log, session } = drive;
  if (calls.length === 0 || signal.aborted) return;
  const checked = calls.map((call) => ({ call, found: check(drive, call) }));
  const ready = checked.flatMap(({ found }) => (typeof found === "string" ? [] : [found]));
  const budgets = budgetsFor(
    drive,
    ready.map(({ order }) => order),
  );
  const stream = await log.stream(session);
  const modes = await modesNow(drive);
  const started: SessionId[] = [];
  for (const { call, found } of checked) {
    const budget = typeof found === "string" ? found : budgets[ready.indexOf(found)];
    if (typeof found === "string" || typeof budget === "string" || budget === undefined) {
      const why = typeof budget === "string" ? budget : String(found);
      journal.emit([
        ...owedHooks(drive, call, "error"),
        ...finishedEvents(drive, call, failure("error", why, 0)),
      ]);
    } else if (stream !== undefined) {
      const { owner, project, created_by } = stream;
      const child = childOf(drive, found, budget, modes);
      // In this order: who reads the log finds the session that the word speaks of.
      journal.beside({
        stream: child.session_id,
        events: child.events,
        create: { owner, kind: "subagent", project, broadcast: false, created_by },
      });
      journal.claim([keyOf(drive, call)]);
      journal.emit([child.started]);
      started.push(child.session_id);
    }
  }
  await journal.flush();
  for (const id of started) children.wake(id);
}

/** One sub-agent for each call, ever. The ids that models give are unique within a step at best, and of any form. */
function keyOf(drive: Drive, { requested }: CallState): string {
  const { turn_id, step } = turnOf(drive);
  return `delegate:${hashJson([drive.session, turn_id, step, requested.tool_call_id])}`;
}

/** A sentence for the model where it cannot be started. */
function check(drive: Drive, call: CallState): Ready | string {
  const { journal, limits, models, tools } = drive;
  const depth = depthOf(journal);
  if (depth >= limits.depth)
    return depth === 0
      ? "Nothing can be delegated here: do it yourself."
      : `Not delegated: this is a sub-agent already, ${depth} below the session at the top, and ${limits.depth} is the most. Do it yourself.`;
  const order = readOrder(call.started?.arguments ?? {});
  if (typeof order === "string") return order;
  const named = order.model ?? journal.state.settings?.model ?? undefined;
  const model = (named === undefined ? undefined : models.find(named)) ?? models.main;
  if (order.model !== undefined && models.find(order.model) === undefined)
    return `There is no model ${JSON.stringify(order.model)}. Leave it out to use that of this session.`;
  const own = tools.tools().map(({ spec }) => spec.name);
  const chosen = toolsOfChild(own, delegationOf(journal.state)?.tools !== undefined, order.tools);
  if (!chosen.ok)
    return `You have no tool ${chosen.unknown.join(", ")} to give. You have: ${own.join(", ")}.`;
  return { call, order, model, tools: chosen.tools };
}

type Budget = Pick<Delegation, "max_tokens" | "max_cost_usd" | "max_steps">;

function childOf(
  drive: Drive,
  { call, order, model, tools }: Ready,
  budget: Budget,
  own: Modes,
): { readonly session_id: SessionId; readonly started: NewEvent; readonly events: readonly NewEvent[] } {
  const { ids, journal, session, redactor } = drive;
  const { state } = journal;
  const above = delegationOf(state);
  const number = state.agents + 1;
  const session_id = ids.next("session");
  const depth = depthOf(journal) + 1;
  const { tool_call_id } = call.requested;
  const delegation: Delegation = {
    agent_id: above === null ? `subagent_${number}` : `${above.agent_id}.${number}`,
    parent_session_id: session,
    parent_turn_id: turnOf(drive).turn_id,
    root_session_id: above?.root_session_id ?? session,
    tool_call_id,
    started_at: new Date(journal.now()).toISOString(),
    ...given({ tools: tools === undefined ? undefined : [...tools] }),
    ...budget,
  };
  const { agent_id, root_session_id } = delegation;
  const envelope = envelopeOf(drive);
  const modes = modesOfChild(own, order.permission_mode);
  const { task, title } = order;
  const details = { title: title ?? null, model: refOf(model), ...modes, ...given({ tools }), ...budget };
  return {
    session_id,
    started: {
      ...envelope,
      type: "runtime.subagent.event",
      data: {
        agent_id,
        status: "started",
        parent_session_id: session,
        session_id,
        task,
        tool_call_id,
        root_session_id,
        depth,
        details,
      },
    },
    events: childEvents({
      session_id,
      input_id: ids.next("input"),
      parent: state.settings ?? { session_id: session, status: "running" },
      delegation,
      depth,
      modes,
      provider: model.provider,
      model: refOf(model),
      task,
      title: title === undefined ? null : redacted(redactor, title),
      ...given({ instructions: order.instructions }),
      cause: envelope.cause,
    }),
  };
}
