import { Suspense, useEffect, useRef } from "react";
import { part } from "./lib/part.ts";
import { usePlace } from "./lib/router.tsx";
import { useStore } from "./lib/store.ts";
import { me } from "./state/me.ts";
import { Nav } from "./shell/nav.tsx";
import { startInbox } from "./state/inbox.ts";
import { StillSignedIn } from "./shell/leave.tsx";
import { Overlay } from "./shell/overlay.tsx";
import { SignIn } from "./shell/sign-in.tsx";
import { identity } from "./state/identity.ts";
import { Boundary } from "./ui/boundary.tsx";
import { Empty } from "./ui/parts.tsx";
import { ConnectionHint } from "./ui/connection-hint.tsx";

const InboxPage = part("inbox", () => import("./inbox/page.tsx").then((m) => m.InboxPage));
const SessionPage = part("session", () => import("./session/page.tsx").then((m) => m.SessionPage));
const SessionsPage = part("sessions", () => import("./sessions/page.tsx").then((m) => m.SessionsPage));
const StartPage = part("start", () => import("./start/page.tsx").then((m) => m.StartPage));
const QuestionPage = part("questions", () => import("./questions/page.tsx").then((m) => m.QuestionPage));
const ComparePage = part("compare", () => import("./compare/page.tsx").then((m) => m.ComparePage));
const ApprovalsPage = part("approvals", () => import("./approvals/page.tsx").then((m) => m.ApprovalsPage));

export function App() {
  const state = useStore(identity);
  const who = useStore(me);
  if (state === "unknown") return <ConnectionHint connection="connecting" />;
  if (state === "away") return <ConnectionHint connection="waiting" />;
  if (who === null) return <SignIn />;
  return <Shell />;
}

function Shell() {
  const { page, params } = usePlace();
  const main = useRef<HTMLElement>(null);
  const where = `${page}/${Object.values(params).join("/")}`;
  useEffect(startInbox, []);
  const first = useRef(true);
  useEffect(() => {
    // A new page is where reading goes on, also for those who listen.
    if (!first.current) main.current?.focus({ preventScroll: true });
    first.current = false;
  }, [where]);
  return (
    <>
      <a className="skip" href="#main">
        Skip to the content
      </a>
      <div className="shell">
        <Nav />
        <main id="main" ref={main} tabIndex={-1}>
          <StillSignedIn />
          <Boundary key={where}>
            <Suspense fallback={null}>
              <Page />
            </Suspense>
          </Boundary>
        </main>
      </div>
      <Overlay />
    </>
  );
}

function Page() {
  const { page, params } = usePlace();
  switch (page) {
    case "inbox":
      return <InboxPage />;
    case "sessions":
      return <SessionsPage />;
    case "session":
      return <SessionPage id={params["id"] ?? ""} />;
    case "start":
      return <StartPage />;
    case "question":
      return <QuestionPage id={params["id"] ?? ""} />;
    case "approvals":
      return <ApprovalsPage />;
    case "compare":
      return <ComparePage id={params["id"] ?? ""} other={params["other"] ?? ""} />;
    case null:
      return (
        <Empty icon="search" title="There is nothing here">
          <p>The address may be incomplete. The inbox shows all that waits for you.</p>
        </Empty>
      );
  }
}
