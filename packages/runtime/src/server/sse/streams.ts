import type { OutgoingHttpHeaders, ServerResponse } from "node:http";
import { FairleadError } from "@fairlead/contract";
import type { Actor } from "../../domain/actor.ts";
import type { Authenticator } from "../auth/authenticator.ts";
import type { Credential } from "../auth/credentials.ts";
import { endBlock, heartbeat, OPENING } from "./blocks.ts";
import { badRequest } from "../errors.ts";
import { upgradeOf } from "../upgrades.ts";
import { createOutlet, type Outlet } from "./outlet.ts";
import { type Pipe, responsePipe, socketPipe } from "./pipe.ts";

/** An open stream and how far it has come. */
export interface Stream {
  readonly outlet: Outlet;
  readonly actor: Actor;
  readonly credential: Credential;
  cursor: number;
  /** Events since the last frame that the view does not show. */
  hidden: number;
}

export interface OpenStream {
  readonly res: ServerResponse;
  readonly headers: OutgoingHttpHeaders;
  readonly actor: Actor;
  readonly credential: Credential;
}

/** All open streams: their number, their heartbeat, and their end. */
export interface Streams {
  readonly size: number;
  /** Throws `too_many_connections` or `shutting_down`. */
  demandRoom(actor: Actor): void;
  /** Throws as `demandRoom` does, before anything is written. */
  open(stream: OpenStream): Stream;
  /** Ends the streams of credentials that are no longer good. Never rejects. */
  recheck(): Promise<void>;
  /** Ends all, each with a hint to come back, and lets none open again. */
  stop(): void;
}

/** Timers take no more than 24 days; after this long it is looked at anew. */
const LONGEST_WAIT_MS = 86_400_000;

export function createStreams(deps: {
  readonly auth: Authenticator;
  readonly heartbeatMs: number;
  readonly perActor: number;
  /** Now, in milliseconds. */
  readonly now: () => number;
}): Streams {
  const open = new Set<Stream>();
  const byActor = new Map<string, number>();
  let stopped = false;
  let timer: NodeJS.Timeout | undefined;

  function count(actor: Actor, step: number): void {
    const next = (byActor.get(actor.name) ?? 0) + step;
    if (next === 0) byActor.delete(actor.name);
    else byActor.set(actor.name, next);
  }

  function demandRoom(actor: Actor): void {
    if (stopped) throw new FairleadError("shutting_down");
    if ((byActor.get(actor.name) ?? 0) < deps.perActor) return;
    throw new FairleadError("too_many_connections", { details: { streams: deps.perActor } });
  }

  function end(stream: Stream, error: FairleadError): void {
    stream.outlet.end(endBlock(error));
  }

  /** Ends the stream when its credential does. */
  function expire(stream: Stream): void {
    const { outlet, actor } = stream;
    if (actor.expires_at === undefined || outlet.closed) return;
    const left = Date.parse(actor.expires_at) - deps.now();
    if (left <= 0) return end(stream, new FairleadError("unauthorized"));
    const expiry = setTimeout(() => expire(stream), Math.min(left, LONGEST_WAIT_MS)).unref();
    outlet.signal.addEventListener("abort", () => clearTimeout(expiry), { once: true });
  }

  function beat(): void {
    for (const stream of open) {
      const told = stream.outlet.nudge(heartbeat(stream.hidden > 0 ? stream.cursor : null));
      if (told) stream.hidden = 0;
    }
    void recheck();
  }

  /** Tokens are revoked, and take with them those made on their behalf. The store being away ends nothing. */
  async function recheck(): Promise<void> {
    for (const group of Map.groupBy(open, ({ credential }) => credential.secret).values()) {
      const [first] = group;
      if (first === undefined) continue;
      const actor = await deps.auth.authenticate(first.credential).catch(() => first.actor);
      if (actor !== undefined) continue;
      for (const stream of group) end(stream, new FairleadError("unauthorized"));
    }
  }

  return {
    get size() {
      return open.size;
    },
    demandRoom,
    open({ res, headers, actor, credential }) {
      demandRoom(actor);
      const outlet = createOutlet(res, pipeOf(res, headers));
      const stream: Stream = { outlet, actor, credential, cursor: 0, hidden: 0 };
      if (outlet.closed) return stream;
      outlet.nudge(OPENING);
      open.add(stream);
      count(actor, 1);
      timer ??= setInterval(beat, deps.heartbeatMs).unref();
      outlet.signal.addEventListener("abort", () => {
        open.delete(stream);
        count(actor, -1);
        if (open.size > 0) return;
        clearInterval(timer);
        timer = undefined;
      });
      expire(stream);
      return stream;
    },
    recheck,
    stop() {
      stopped = true;
      for (const stream of open) end(stream, new FairleadError("shutting_down"));
    },
  };
}

/** As the request asks: over a WebSocket, or as the body of the answer. */
function pipeOf(res: ServerResponse, headers: OutgoingHttpHeaders): Pipe {
  const upgrade = upgradeOf(res.req);
  if (upgrade === undefined) return responsePipe(res, headers);
  const pipe = socketPipe(res.req, upgrade.stream, upgrade.head);
  if (pipe === undefined) throw badRequest("header.upgrade", "This is no handshake of a WebSocket.");
  return pipe;
}
