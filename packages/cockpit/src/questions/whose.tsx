import { useEffect, useState } from "react";
import { call } from "../lib/api.ts";
import { Link, pathOf } from "../lib/router.tsx";
import { Icon } from "../ui/icon.tsx";
import { Visible } from "../ui/visible.tsx";
import type { Question } from "./model.ts";

/** Whose question it is: the session, and what that was last told to do before it asked. */
export function Whose({ question }: { readonly question: Question }) {
  const { sessionId, sessionTitle, askedSeq } = question;
  const [task, setTask] = useState<string | null>(null);
  useEffect(() => {
    let wanted = true;
    const query = { before: askedSeq ?? Number.MAX_SAFE_INTEGER, limit: 1, types: ["turn_start"] };
    call("listEvents", { params: { id: sessionId }, query: { ...query, history: "full" } as object }).then(
      ({ events }) => {
        const { input } = (events[0]?.["payload"] ?? {}) as { readonly input?: unknown };
        if (wanted) setTask(typeof input === "string" ? input : null);
      },
      // It stands in the session too.
      () => {},
    );
    return () => void (wanted = false);
  }, [sessionId, askedSeq]);
  return (
    <div className="small whose">
      <span className="row">
        <Icon name="list" />
        <Link href={pathOf("session", { id: sessionId })}>
          <Visible text={sessionTitle ?? "Untitled session"} />
        </Link>
      </span>
      {task === null ? null : (
        <p className="dim clamp">
          Its task: <Visible text={task} />
        </p>
      )}
    </div>
  );
}
