import { FairleadError, type RouteReply } from "@fairlead/contract";
import type { Actor } from "../../domain/actor.ts";
import { permitOf } from "../../domain/approval/mode.ts";
import type { GuardedCall } from "../../domain/guard/types.ts";
import { effectOf } from "../../domain/loop-supervision/effect-of.ts";
import { payloadOf } from "../../domain/loop-supervision/payloads.ts";
import type { StoredSession } from "../../domain/session.ts";
import { newTally } from "../../domain/supervision/tally.ts";
import type { Clock } from "../../ports/clock.ts";
import type { EventLog } from "../../ports/event-log.ts";
import type { Ids } from "../../ports/ids.ts";
import type { Timers } from "../../ports/timers.ts";
import type { Tool, ToolArguments } from "../../ports/tool.ts";
import type { Workspaces } from "../../ports/workspaces.ts";
import { commandStream } from "../access.ts";
import { directHooks } from "../hooks/direct.ts";
import type { HookGate } from "../hooks/types.ts";
import { modesFrom } from "../loop/context.ts";
import { type Redactor, redacted } from "../redaction.ts";
import { demand, taken } from "../refusal.ts";
import type { OwnSupervision } from "../supervision/own-types.ts";
import { createBeside } from "../workspaces/beside.ts";
import { placeOfSession } from "../workspaces/of-session.ts";
import type { Roots } from "../workspaces/roots.ts";
import type { Questions } from "../types.ts";
import { createDirectTools, type DirectRequest, type DirectResult, type Permitted } from "./direct.ts";
import { createLostCalls, type LostCalls } from "./lost.ts";
import { createPresence } from "./presence.ts";
import { createRunAgain } from "./run-again.ts";
import type { ToolGateway } from "./types.ts";

export interface ToolsDeps {
  readonly log: EventLog;
  readonly ids: Ids;
  readonly tools: ToolGateway;
  readonly supervision: OwnSupervision;
  readonly hooks: HookGate;
  /** The log's own. */
  readonly redactor: Redactor;
  readonly roots: Roots;
  readonly workspaces?: Workspaces;
  readonly clock: Clock;
  readonly questions: Pick<Questions, "prepare" | "withdraw">;
  readonly timers: Timers;
  /** Names this process to people. */
  readonly process: string;
  /** How long a session's lease lasts. */
  readonly leaseMs: number;
  /** Must not throw. */
  readonly report: (error: unknown) => void;
}

/** Tools for people, beside those that turns use. */
export interface Tools extends LostCalls {
  /** Waits a while for servers that are being reached. */
  list(): Promise<RouteReply<"listTools">["tools"]>;
  /** Throws tool_call_invalid or tool_denied, and then nothing was run. What it answers is redacted, as the log is. */
  call(
    actor: Actor,
    ref: string,
    name: string,
    args: ToolArguments,
    signal?: AbortSignal,
  ): Promise<RouteReply<"callTool">>;
  /** Stops calls under way, takes no more, and resolves when the last one is recorded. Never rejects. */
  stop(): Promise<void>;
}

export function createTools(deps: ToolsDeps): Tools {
  const { log, ids, tools, supervision, redactor, roots, workspaces, questions } = deps;
  const hooks = directHooks(log, deps.hooks);
  const { withdraw } = questions;
  const files = createBeside(deps);
  const presence = createPresence(deps);
  const direct = createDirectTools({
    ...deps,
    gateway: tools,
    permit,
    after: hooks.after,
    files,
    presence,
    withdraw,
  });
  const ending = new AbortController();
  const underWay = new Map<string, Promise<unknown>>();

  /** Known to `stop` until it is over. */
  function run(request: DirectRequest): Promise<DirectResult> {
    const { request_id } = request;
    const running = direct(request);
    const over = running.then(
      () => void underWay.delete(request_id),
      () => void underWay.delete(request_id),
    );
    underWay.set(request_id, over);
    return running;
  }

  /** What a mode would ask a person, the person who calls has answered; what rules and supervisors say stands. */
  async function permit(call: GuardedCall, tool: Tool, request: DirectRequest): Promise<Permitted> {
    const { session_id, agent_id, workspace } = request;
    const row = await log.row<StoredSession>("session", session_id);
    const { readOnly } = await placeOfSession(workspaces, roots, row?.state ?? null);
    if (readOnly !== undefined && tool.access !== "read") return { ok: false, reason: readOnly };
    const permitted = permitOf(modesFrom(row?.state ?? null), tool);
    if (permitted.kind === "deny") return { ok: false, reason: permitted.reason };
    const run = { session_id, agent_id, depth: 0, workspace, tally: newTally() };
    const write = async (events: Parameters<EventLog["append"]>[0]["writes"][number]["events"]) => {
      if (events.length > 0) taken(await log.append({ writes: [{ stream: session_id, events }] }));
    };
    const judgement = await supervision.judge(run, "pre_action", payloadOf.preAction(call), write);
    await write(judgement.records);
    const effect = effectOf("pre_action", judgement);
    if (effect.kind === "run" && effect.call === undefined) return hooks.before(call, request);
    const reason = "reason" in effect ? effect.reason : "The rules would change this call.";
    return { ok: false, reason: `${judgement.by}: ${reason}` };
  }

  const again = createRunAgain({ ...deps, run, ending: ending.signal });
  const lost = createLostCalls({ ...deps, presence, again, runs: (request_id) => underWay.has(request_id) });

  return {
    ...lost,
    async list() {
      await tools.ready();
      return tools.tools().map(({ spec, access, effect, origin }) => ({
        name: spec.name,
        description: spec.description,
        parameters: spec.parameters,
        access,
        effect,
        origin,
      }));
    },
    async call(actor, ref, name, args, signal) {
      demand(actor, "turn.start");
      const { id: session_id } = await commandStream(log, actor, ref);
      if (ending.signal.aborted) throw new FairleadError("shutting_down");
      const row = await log.row<StoredSession>("session", session_id);
      const { path: workspace } = await placeOfSession(workspaces, roots, row?.state ?? null);
      const request_id = ids.next("request");
      const result = await run({
        session_id,
        request_id,
        agent_id: actor.name,
        call: { tool_call_id: request_id, name, arguments: JSON.stringify(args) },
        workspace,
        signal: signal === undefined ? ending.signal : AbortSignal.any([ending.signal, signal]),
      });
      if (result.status === "invalid")
        throw new FairleadError("tool_call_invalid", {
          message: result.faults.map(({ error }) => error).join(" "),
          details: { faults: result.faults },
        });
      if (result.status === "denied") throw new FairleadError("tool_denied", { message: result.reason });
      const { status, outcome_type, elapsed_ms, error = null, result: output = null } = result.outcome;
      const shown = redacted(redactor, { result: output, error });
      return { tool_call_id: request_id, status, outcome_type, elapsed_ms, ...shown };
    },
    async stop() {
      ending.abort();
      await Promise.all(underWay.values());
    },
  };
}
