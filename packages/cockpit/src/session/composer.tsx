import { useRef, useState } from "react";
import { call, commandKey, isCode, type Problem, problemOf } from "../lib/api.ts";
import { Icon } from "../ui/icon.tsx";
import { ProblemNote } from "../ui/parts.tsx";

type Way = "send" | "steer" | "queue";

/**
 * Send, queue, steer and stop, side by side. While a turn is open, Enter steers it. A text stays in the field until
 * the server has it, and the same try is sent under the same key, so that a cut connection says nothing twice.
 */
export function Composer(props: {
  readonly sessionId: string;
  readonly open: boolean;
  readonly autoFocus?: boolean;
}) {
  const { sessionId, open } = props;
  const [text, setText] = useState("");
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState<Problem | null>(null);
  const attempt = useRef<{ text: string; way: Way; key: string } | null>(null);

  async function say(way: Way): Promise<void> {
    const input = text.trim();
    if (input === "" || busy) return;
    setBusy(true);
    setProblem(null);
    try {
      const same = attempt.current?.text === input && attempt.current.way === way;
      const current =
        same && attempt.current !== null ? attempt.current : { text: input, way, key: commandKey() };
      attempt.current = current;
      const command = { params: { id: sessionId }, body: { input }, idempotencyKey: current.key };
      if (way === "send") await call("startTurn", command);
      else await call(way === "steer" ? "steerTurn" : "queueInput", command);
      attempt.current = null;
      setText("");
    } catch (error) {
      // Somebody else began a turn, or it ended, while this was written.
      if (isCode(error, "turn_active", "turn_not_found")) attempt.current = null;
      setProblem(problemOf(error));
    } finally {
      setBusy(false);
    }
  }

  async function stop(): Promise<void> {
    setProblem(null);
    try {
      await call("cancelTurn", { params: { id: sessionId }, body: { reason: "Stopped from the cockpit." } });
    } catch (error) {
      if (!isCode(error, "turn_not_found")) setProblem(problemOf(error));
    }
  }

  return (
    <form
      className="composer"
      onSubmit={(event) => {
        event.preventDefault();
        void say(open ? "steer" : "send");
      }}
    >
      {problem === null ? null : <ProblemNote problem={problem} />}
      <label className="hidden-text" htmlFor="composer-text">
        {open ? "Say something to the open turn" : "Say something"}
      </label>
      <textarea
        id="composer-text"
        className="input"
        rows={Math.min(8, Math.max(2, text.split("\n").length))}
        placeholder={open ? "Steer the open turn, or queue for after it" : "What should be done?"}
        value={text}
        autoFocus={props.autoFocus ?? false}
        onChange={(event) => setText(event.target.value)}
        onKeyDown={(event) => {
          if (event.key !== "Enter" || event.shiftKey || event.nativeEvent.isComposing) return;
          event.preventDefault();
          void say(event.altKey ? "queue" : open ? "steer" : "send");
        }}
      />
      <div className="row wrap">
        <button type="submit" className="button primary" disabled={busy || open || text.trim() === ""}>
          <Icon name="send" /> Send
        </button>
        <button
          type="button"
          className="button"
          disabled={busy || !open || text.trim() === ""}
          onClick={() => void say("steer")}
          title="The open turn hears it with its next step"
        >
          <Icon name="steer" /> Steer
        </button>
        <button
          type="button"
          className="button"
          disabled={busy || text.trim() === ""}
          onClick={() => void say("queue")}
          title="Becomes a turn of its own after the open one (Alt-Enter)"
        >
          <Icon name="queue" /> Queue
        </button>
        <span className="grow" />
        <button type="button" className="button danger" disabled={!open} onClick={() => void stop()}>
          <Icon name="stop" /> Stop
        </button>
      </div>
    </form>
  );
}
