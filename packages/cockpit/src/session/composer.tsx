import { useEffect, useId, useRef, useState } from "react";
import { useAct } from "../lib/act.ts";
import { call, commandKey, isCode, type Problem, problemOf, UNREACHABLE } from "../lib/api.ts";
import { navigate, pathOf } from "../lib/router.tsx";
import { draftOf, keepDraft } from "../state/drafts.ts";
import { Icon, type IconName } from "../ui/icon.tsx";
import type { Connection } from "../state/follow.ts";
import { Note, ProblemNote } from "../ui/parts.tsx";
import { afterSent, firstWay, type Offer, offerOf, type Standing, WAYS, type Way } from "./ways.ts";

const BUTTONS: Readonly<Record<Way, readonly [icon: IconName, word: string, title: string]>> = {
  send: ["send", "Send", "Begins a turn (Enter)"],
  steer: ["steer", "Steer", "The open turn hears it with its next step"],
  queue: ["queue", "Queue", "Becomes a turn of its own after the open one (Alt-Enter)"],
  resume: ["play", "Resume with this", "It goes on from where it stopped, and is told this"],
  branch: ["branch", "Go on in a branch", "A new session with all of this history, which is told this"],
};

/** What the field says before somebody writes in it. */
const ASKS: Readonly<Record<Way, string>> = {
  send: "What should be done?",
  steer: "Steer the open turn",
  queue: "Say what comes after the open turn",
  resume: "Say what it should go on with",
  branch: "Say what a branch of it should do",
};

/** What was sent while nobody answered stays in the field. */
const BACK: Problem = {
  code: "not_sent",
  message: "Not sent:",
  hint: "send it again. Should it have arrived after all, it still happens once.",
};

/**
 * Send, steer, queue and stop side by side, and what background work takes instead: as its state allows, each with the
 * reason where not. A text stays in the field until the server has it, and the same try is sent under the same key, so
 * that a cut connection says nothing twice.
 */
export function Composer(props: {
  readonly sessionId: string;
  readonly standing: Standing;
  readonly connection: Connection;
}) {
  const { sessionId, standing, connection } = props;
  const offer = offerOf(standing);
  const first = firstWay(offer);
  const [text, setText] = useState(() => draftOf(sessionId));
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState<Problem | null>(null);
  const attempt = useRef<Attempt | null>(null);
  useEffect(() => keepDraft(sessionId, text), [sessionId, text]);
  useEffect(() => {
    if (connection === "live") setProblem((now) => (now?.code === UNREACHABLE ? BACK : now));
  }, [connection]);

  async function say(way: Way): Promise<void> {
    const input = text.trim();
    if (input === "" || busy || offer[way] !== "yes") return;
    setBusy(true);
    setProblem(null);
    try {
      const before = attempt.current;
      const same = before !== null && before.input === input && before.way === way;
      attempt.current = same ? before : { way, input, key: commandKey() };
      await deliver(sessionId, attempt.current);
      attempt.current = null;
      // Also when nobody is here any more to see the field.
      keepDraft(sessionId, afterSent(draftOf(sessionId), text));
      setText((now) => afterSent(now, text));
    } catch (error) {
      // Somebody else began a turn, or it ended, while this was written: the next try is another command.
      if (isCode(error, "turn_active", "turn_not_found", "session_state", "session_ended"))
        attempt.current = null;
      setProblem(problemOf(error));
    } finally {
      setBusy(false);
    }
  }

  // One press ends one turn, and not the one that was queued behind it.
  const stopping = useAct();
  const stop = (): Promise<void> =>
    stopping.act("stop", () =>
      call("cancelTurn", {
        params: { id: sessionId },
        body: { reason: "Stopped from the cockpit." },
      }).catch((error: unknown) => {
        if (!isCode(error, "turn_not_found")) throw error;
      }),
    );

  const field = useRef<HTMLTextAreaElement>(null);
  const whys = useId();
  const off = reasonsOf(offer);
  const empty = text.trim() === "";
  const can = (way: Way): boolean => !busy && offer[way] === "yes" && !empty;
  return (
    <form
      className="composer"
      onSubmit={(event) => {
        event.preventDefault();
        if (first !== null) void say(first);
      }}
    >
      {stopping.problem === null ? null : <ProblemNote problem={stopping.problem} />}
      {problem === BACK ? (
        <Note tone="warn">
          {BACK.message} {BACK.hint}
        </Note>
      ) : problem === null ? null : (
        <ProblemNote problem={problem} />
      )}
      <label className="hidden-text" htmlFor="composer-text">
        {first === "steer" ? "Say something to the open turn" : "Say something"}
      </label>
      <textarea
        id="composer-text"
        ref={field}
        className="input"
        rows={Math.min(8, Math.max(2, text.split("\n").length))}
        placeholder={first === null ? (reasonOf(offer) ?? "") : ASKS[first]}
        value={text}
        onChange={(event) => setText(event.target.value)}
        onKeyDown={(event) => {
          if (event.key !== "Enter" || event.shiftKey || event.nativeEvent.isComposing) return;
          event.preventDefault();
          const way = event.altKey && offer.queue === "yes" ? "queue" : first;
          if (way !== null) void say(way);
        }}
      />
      <div className="row wrap">
        {WAYS.filter((way) => offer[way] !== undefined).map((way) => {
          const [icon, word, title] = BUTTONS[way];
          return (
            <button
              key={way}
              type="button"
              className={way === first ? "button primary" : "button"}
              // Reached also while it is off: whoever is there hears why.
              aria-disabled={!can(way)}
              aria-describedby={offer[way] === "yes" ? (empty ? `${whys}-empty` : undefined) : whys}
              title={offer[way] === "yes" ? title : offer[way]}
              onClick={() => (can(way) ? void say(way) : field.current?.focus())}
            >
              <Icon name={icon} /> {word}
            </button>
          );
        })}
        <span className="grow" />
        {offer.stop === undefined ? null : (
          <button
            type="button"
            className="button danger"
            aria-disabled={offer.stop !== "yes" || stopping.busy}
            aria-describedby={offer.stop === "yes" ? undefined : whys}
            title={offer.stop === "yes" ? "Ends the open turn now" : offer.stop}
            onClick={() => (offer.stop === "yes" ? void stop() : undefined)}
          >
            <Icon name="stop" /> Stop
          </button>
        )}
      </div>
      <p id={whys} className="tiny dim composer-off">
        {off.map(([names, why]) => `${names}: ${why}`).join(" ")}
      </p>
      <span id={`${whys}-empty`} hidden>
        Write something first.
      </span>
    </form>
  );
}

/** Why what is off is off, each reason once, with the names of what it is about. */
function reasonsOf(offer: Offer): readonly (readonly [names: string, why: string])[] {
  const by = new Map<string, string[]>();
  for (const way of [...WAYS, "stop"] as const) {
    const why = offer[way];
    if (why === undefined || why === "yes") continue;
    by.set(why, [...(by.get(why) ?? []), way === "stop" ? "Stop" : BUTTONS[way][1]]);
  }
  return [...by].map(([why, names]) => [names.join(", "), why]);
}

function reasonOf(offer: Offer): string | undefined {
  return Object.values(offer).find((word) => word !== "yes");
}

/** One try. `from` is found once: sent again, it is the same command. */
interface Attempt {
  readonly way: Way;
  readonly input: string;
  readonly key: string;
  from?: string;
}

/** One command of the server for each way. A branch is looked at where it goes on. */
async function deliver(id: string, attempt: Attempt): Promise<void> {
  const { way, input, key: idempotencyKey } = attempt;
  const command = { params: { id }, body: { input }, idempotencyKey };
  switch (way) {
    case "send":
      return void (await call("startTurn", command));
    case "steer":
      return void (await call("steerTurn", command));
    case "queue":
      return void (await call("queueInput", command));
    case "resume":
      return void (await call("resumeSession", command));
    case "branch": {
      attempt.from ??= await lastEvent(id);
      const made = await call("resumeSession", { ...command, body: { input, from_event_id: attempt.from } });
      navigate(pathOf("session", { id: made.session_id }));
    }
  }
}

async function lastEvent(id: string): Promise<string> {
  const query = { before: Number.MAX_SAFE_INTEGER, limit: 1, history: "full" as const };
  const { events } = await call("listEvents", { params: { id }, query });
  return String(events[0]?.["id"] ?? "");
}
