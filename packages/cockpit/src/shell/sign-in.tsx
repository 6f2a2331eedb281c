import { useEffect } from "react";
import icon from "../icon.svg";
import { Copy, Note } from "../ui/parts.tsx";
import { useTitle } from "../lib/title.ts";
import { rememberPlace } from "./return-to.ts";

const COMMAND = "npm run fairlead -- link";
/** Where sign-in links lead: who sees this page there followed one that is used up. */
const LINKS = "/auth/login";

/** As the server that sent this page was started. */
function linkCommand(): string {
  return document.querySelector<HTMLMetaElement>('meta[name="link-command"]')?.content ?? COMMAND;
}

export function SignIn() {
  useTitle("Sign in");
  useEffect(rememberPlace, []);
  const command = linkCommand();
  return (
    <main className="sign-in">
      <div className="card stack">
        <div className="row">
          <img src={icon} alt="" width={36} height={36} />
          <h1>Fairlead</h1>
        </div>
        {location.pathname === LINKS ? (
          <Note tone="warn">
            This link no longer works. A link works once, for ten minutes, and only with the server process
            that made it.
          </Note>
        ) : null}
        <p>
          You are not signed in. Get a one-time link on the machine that runs this server, and open it in this
          browser. You come back to the page you wanted.
        </p>
        <div className="row command">
          <code className="grow">{command}</code>
          <Copy text={command} />
        </div>
        <p className="dim small">
          The start of the server prints such a link too, and the command for another.
        </p>
      </div>
    </main>
  );
}
