import { textIn, type Told } from "../told.ts";
import type { Channel, Envelope, Participant } from "./channel.ts";
import { AGENT, OPERATOR, RUNTIME, routed } from "./routing.ts";
import { summaryOf } from "./summary.ts";

export interface ChannelOf {
  readonly session_id: string;
  /** The name of the session's agent. */
  readonly agent: string;
  /** In the order of the session, as many as are to be shown. */
  readonly events: readonly Told[];
}

/** Pure and in the order of the events, so that the same log gives the same channel, byte for byte. */
export function channelOf({ session_id, agent, events }: ChannelOf): Channel {
  const participants = new Map<string, Participant>();
  const join = (id: string) => {
    if (!participants.has(id)) participants.set(id, participantOf(id, agent));
  };
  join(RUNTIME);
  join(AGENT);
  const envelopes = events.map((event): Envelope => {
    const envelope = envelopeOf(event);
    for (const id of [envelope.sender_id, ...envelope.recipient_ids]) join(id);
    if (envelope.sender_id === OPERATOR) seen(participants.get(OPERATOR), textIn(event.payload, "actor"));
    return envelope;
  });
  return { channel_id: `session:${session_id}`, participants: [...participants.values()], envelopes };
}

function envelopeOf({ id, seq, at, type, payload, blobs }: Told): Envelope {
  const { from, to } = routed(type, payload);
  return {
    event_id: id,
    seq,
    at,
    sender_id: from,
    recipient_ids: [...to],
    event_type: type,
    summary: summaryOf(type, payload),
    payload,
    ...(blobs === undefined ? {} : { blobs: { ...blobs } }),
  };
}

function participantOf(participant_id: string, agent: string): Participant {
  if (participant_id === RUNTIME) return { participant_id, kind: "runtime", name: "Runtime" };
  if (participant_id === AGENT) return { participant_id, kind: "agent", name: agent };
  if (participant_id === OPERATOR) return { participant_id, kind: "operator", name: "Operator", actors: [] };
  const colon = participant_id.indexOf(":");
  const kind = participant_id.slice(0, colon) === "subagent" ? "subagent" : "tool";
  return { participant_id, kind, name: participant_id.slice(colon + 1) };
}

function seen(operator: Participant | undefined, actor: string | undefined): void {
  if (actor !== undefined && operator?.actors?.includes(actor) === false) operator.actors.push(actor);
}
