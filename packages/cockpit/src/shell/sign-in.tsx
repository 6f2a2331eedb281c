import { useEffect } from "react";
import icon from "../icon.svg";
import { Copy } from "../ui/parts.tsx";
import { useTitle } from "../lib/title.ts";
import { rememberPlace } from "./return-to.ts";

const COMMAND = "npm run fairlead -- link";

export function SignIn() {
  useTitle("Sign in");
  useEffect(rememberPlace, []);
  return (
    <main className="sign-in">
      <div className="card stack">
        <div className="row">
          <img src={icon} alt="" width={36} height={36} />
          <h1>Fairlead</h1>
        </div>
        <p>
          You are not signed in. Get a one-time link on the machine that runs this server, and open it in this
          browser. You come back to the page you wanted.
        </p>
        <div className="row command">
          <code className="grow">{COMMAND}</code>
          <Copy text={COMMAND} />
        </div>
        <p className="dim small">The start of the server prints such a link too. A link works once.</p>
      </div>
    </main>
  );
}
