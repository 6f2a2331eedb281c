import type { NewEvent, QuestionId } from "@fairlead/contract";
import { askedEvent } from "../../domain/question.ts";
import { askedOf } from "../../domain/approval/types.ts";
import { escalationOf, permitOf } from "../../domain/approval/mode.ts";
import { suggestPattern } from "../../domain/approval/suggest.ts";
import { riskOf, shownFor } from "../../domain/approval/shown.ts";
import { canonicalJson } from "../../domain/canonical.ts";
import type { GuardedCall } from "../../domain/guard/types.ts";
import type { CallState } from "../../domain/loop/state.ts";
import type { Tool, ToolArguments } from "../../ports/tool.ts";
import { redacted } from "../redaction.ts";
import { modesNow } from "../delegation/modes.ts";
import { type Drive, envelopeOf, turnOf } from "./context.ts";
import { confirm } from "./confirm.ts";
import { deniedEvents, invalidEvent, repairedEvent, startEvent } from "./records.ts";
import { beforeAction } from "./before-action.ts";
import { previewOf } from "./preview.ts";

/** Why a person is asked. */
interface Asking {
  /** `mode`, `rule:ID`, or a supervisor's name. */
  readonly origin: string;
  readonly reason: string;
}

/** Decides each call: it may run, it is denied, it does not fit, or a person is asked. All questions are asked at once. */
export async function judgeStep(drive: Drive, calls: readonly CallState[]): Promise<void> {
  for (const call of calls) {
    if (drive.signal.aborted || turnOf(drive).waits !== null) return;
    const guarded = await drive.tools.check(call.requested, drive.place.path());
    if (!guarded.ok) {
      drive.journal.emit([invalidEvent(drive, call, guarded.faults)]);
      continue;
    }
    if (guarded.call.repairs.length > 0) drive.journal.emit([repairedEvent(drive, call, guarded.call)]);
    await judgeCall(drive, call, guarded.call, false);
    if (drive.journal.state.turn === null) return;
  }
}

/** `approved`: a person has said yes to exactly this, so nobody is asked again. */
export async function judgeCall(
  drive: Drive,
  call: CallState,
  guarded: GuardedCall,
  approved: boolean,
): Promise<void> {
  const { journal, tools } = drive;
  const tool = tools.tool(guarded.name);
  const deny = (reason: string) => journal.emit(deniedEvents(drive, call, guarded, tool, reason));
  if (tool === undefined) return deny(`The tool ${guarded.name} is gone.`);
  const chosen = await modesNow(drive);
  // To a person who has said yes nothing is left to ask; what the session may not do at all stays denied.
  const modes = approved ? { ...chosen, approval_mode: "on_request" as const } : chosen;
  const permit = permitOf(modes, tool);
  if (permit.kind === "deny") return deny(permit.reason);
  const ruled = await beforeAction(drive, guarded);
  if (ruled.kind === "wait") return;
  if (ruled.kind === "deny") return deny(ruled.reason);
  const effective = ruled.call;
  const changedTool = tools.tool(effective.name) ?? tool;
  const permitNow = permitOf(modes, changedTool);
  if (permitNow.kind === "deny") return deny(permitNow.reason);
  const asking: Asking[] = [];
  if (permitNow.kind === "ask") asking.push({ origin: "mode", reason: permitNow.reason });
  if (ruled.kind === "ask") {
    const escalation = escalationOf(modes.approval_mode, ruled.reason);
    if (escalation.kind === "deny") return deny(escalation.reason);
    asking.push({ origin: ruled.by, reason: escalation.reason });
  }
  // A yes is for what was seen: another call in its place is asked about like any other.
  const seen = approved && canonicalJson(effective.arguments) === canonicalJson(guarded.arguments);
  const [first] =
    asking.length === 0 || (seen && effective.name === guarded.name)
      ? []
      : await ungranted(drive, changedTool, effective.arguments, asking);
  if (first === undefined) return journal.emit([startEvent(drive, effective, changedTool)]);
  const confirmed = await confirm(drive, effective, first.reason);
  if (confirmed.kind === "approve") return journal.emit([startEvent(drive, effective, changedTool)]);
  if (confirmed.kind === "reject") return deny(confirmed.reason);
  journal.emit([await question(drive, effective, changedTool, first)]);
}

/** The reasons to ask that no standing approval covers. */
async function ungranted(
  { grants, session, journal }: Drive,
  tool: Tool,
  args: ToolArguments,
  asking: readonly Asking[],
): Promise<readonly Asking[]> {
  const open: Asking[] = [];
  const turn_id = journal.state.turn?.turn_id ?? "";
  const asked = askedOf(tool, args);
  for (const one of asking) {
    const grant = await grants.find(session, turn_id, asked, one.origin);
    if (grant === undefined) open.push(one);
  }
  return open;
}

async function question(
  drive: Drive,
  call: GuardedCall,
  tool: Tool,
  { origin, reason }: Asking,
): Promise<NewEvent> {
  const { ids, limits, clock } = drive;
  const preview = await previewOf(drive, call);
  const asked = askedOf(tool, call.arguments);
  const request_id: QuestionId = ids.next("question");
  const pattern = suggestPattern(asked, (args) => redacted(drive.redactor, args));
  const expires_at =
    limits.approvalMs === undefined ? undefined : new Date(clock.now() + limits.approvalMs).toISOString();
  const event = askedEvent(
    {
      request_id,
      kind: "approval",
      tool_name: tool.spec.name,
      reason,
      shown: shownFor(call, tool, preview, reason),
      risk: riskOf(tool, asked),
      tool_call_id: call.tool_call_id,
      origin,
      ...(pattern === undefined ? {} : { pattern }),
      ...(expires_at === undefined ? {} : { expires_at }),
    },
    (shown) => redacted(drive.redactor, shown),
  );
  if (expires_at !== undefined) drive.questions.announce({ expires_at });
  return { ...event, ...envelopeOf(drive) };
}
