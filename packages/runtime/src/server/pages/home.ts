import type { Actor } from "../../domain/actor.ts";
import { html, type Part } from "./html.ts";
import { page } from "./page.ts";

interface Home {
  readonly version: string;
  readonly linkCommand: string;
  readonly actor: Actor | null;
  /** How many sessions the actor may see, as far as counted; `+` when there are more. */
  readonly sessions: string;
}

const LINKS: readonly (readonly [href: string, text: string, about: string])[] = [
  ["/docs", "/docs", "every address of this API, for people"],
  ["/openapi.json", "/openapi.json", "the same, for machines (OpenAPI 3.1)"],
  ["/stream-events", "/stream-events", "every event that a stream can carry"],
  ["/sessions", "/sessions", "the sessions you may see"],
  ["/approvals?state=pending", "/approvals", "what waits for a decision"],
];

/** The start page, until there is a cockpit: what this is, who you are, where to go. */
export function homePage({ version, linkCommand, actor, sessions }: Home): string {
  return page("Fairlead", [
    html`<p>
      A runtime and control plane for AI agents. Everything they do runs through one durable log, which is
      served here, live and resumable. Version ${version}.
    </p>`,
    actor === null ? signedOut(linkCommand) : signedIn(actor, sessions),
    html`<h2>Where to go</h2>
      <ul class="links">
        ${LINKS.map(
          ([href, text, about]) =>
            html`<li><a href="${href}">${text}</a><span class="dim">${about}</span></li>`,
        )}
      </ul>`,
  ]);
}

function signedIn(actor: Actor, sessions: string): Part {
  const where = actor.project === null ? "every project" : html`project <strong>${actor.project}</strong>`;
  return html`<div class="card ok">
    <p>
      Signed in as <strong>${actor.name}</strong> (${actor.role}, ${where}). Sessions you may see:
      <strong>${sessions}</strong>.
    </p>
  </div>`;
}

function signedOut(linkCommand: string): Part {
  return html`<div class="card">
    <p>
      You are not signed in. Get a one-time link on the machine that runs this server, and open it in this
      browser:
    </p>
    <pre><code>${linkCommand}</code></pre>
  </div>`;
}

/**
 * A browser that follows a link from elsewhere leaves out its SameSite=Strict cookie, also after the
 * redirect that set it. Asking again from a page of ours brings it along.
 */
export function comeAgainPage(): string {
  return page("Fairlead", html`<p><a href="/">Go on</a></p>`, true);
}

/** A link that does not work: why, and how to get one that does. */
export function deadLinkPage(linkCommand: string): string {
  return page("This link no longer works", [
    html`<p>
      A sign-in link works once, for ten minutes, and only with the server process that made it. This one was
      used, is too old, or is not complete.
    </p>`,
    html`<div class="card">
      <p>Make a new one on the machine that runs the server, and open it in this browser:</p>
      <pre><code>${linkCommand}</code></pre>
    </div>`,
    html`<p><a href="/">Start page</a></p>`,
  ]);
}
