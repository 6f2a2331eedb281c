import { pagePolicy } from "../security-headers.ts";
import { html, Markup, type Part } from "./html.ts";

const STYLE = `
:root { color-scheme: light dark; --ink: #1b2430; --dim: #5b6776; --paper: #fbfaf7; --card: #ffffff; --line: #dfe2e6; --rope: #b4542a; --sea: #1f5f7a; --ok: #2f7d4f; }
@media (prefers-color-scheme: dark) { :root { --ink: #e4e8ee; --dim: #97a3b2; --paper: #12171d; --card: #1a2129; --line: #2b3540; --rope: #e08a5e; --sea: #6db7d6; --ok: #74c797; } }
* { box-sizing: border-box; }
body { margin: 0; background: var(--paper); color: var(--ink); font: 16px/1.6 ui-sans-serif, system-ui, "Segoe UI", Roboto, sans-serif; overflow-wrap: break-word; }
main { max-width: 50rem; margin: 0 auto; padding: 3rem 1.25rem 5rem; }
header { display: flex; gap: 1rem; align-items: center; margin-bottom: 2rem; }
header svg { width: 3rem; height: 3rem; flex: none; }
h1 { font-size: 1.7rem; line-height: 1.2; margin: 0; letter-spacing: -0.01em; }
h2 { font-size: 1.1rem; margin: 2.5rem 0 0.75rem; }
h3 { font-size: 0.85rem; margin: 1.25rem 0 0.4rem; color: var(--dim); font-weight: 600; }
p { margin: 0 0 0.9rem; }
.dim { color: var(--dim); }
a { color: var(--sea); text-underline-offset: 0.15em; }
a:focus-visible, summary:focus-visible { outline: 2px solid var(--sea); outline-offset: 3px; border-radius: 3px; }
code, pre { font: 0.875em/1.5 ui-monospace, "SF Mono", Menlo, Consolas, monospace; }
code { background: color-mix(in srgb, var(--ink) 7%, transparent); padding: 0.1em 0.35em; border-radius: 4px; }
pre { background: var(--card); border: 1px solid var(--line); border-radius: 8px; padding: 0.8rem 1rem; margin: 0 0 0.9rem; overflow-x: auto; }
pre code { background: none; padding: 0; }
.card { background: var(--card); border: 1px solid var(--line); border-left: 4px solid var(--rope); border-radius: 8px; padding: 1rem 1.25rem; margin: 0 0 1.5rem; }
.card.ok { border-left-color: var(--ok); }
.card p:last-child, .card pre:last-child { margin-bottom: 0; }
ul.links { list-style: none; padding: 0; margin: 0; display: grid; gap: 0.6rem; }
ul.links li { display: grid; grid-template-columns: minmax(9rem, auto) 1fr; gap: 0.25rem 1rem; }
details { background: var(--card); border: 1px solid var(--line); border-radius: 8px; margin: 0 0 0.5rem; }
summary { cursor: pointer; padding: 0.6rem 0.9rem; display: flex; flex-wrap: wrap; gap: 0.2rem 0.75rem; align-items: baseline; }
details[open] > summary { border-bottom: 1px solid var(--line); }
.inside { padding: 0.9rem; }
.method { font: 700 0.75rem/1 ui-monospace, Menlo, Consolas, monospace; min-width: 3.6rem; color: var(--sea); }
.method.POST { color: var(--ok); } .method.DELETE { color: var(--rope); }
.path { font: 0.875rem/1.4 ui-monospace, Menlo, Consolas, monospace; word-break: break-all; }
.what { color: var(--dim); font-size: 0.9rem; }
.scroll { overflow-x: auto; }
table { border-collapse: collapse; width: 100%; font-size: 0.9rem; }
td, th { text-align: left; vertical-align: top; padding: 0.35rem 0.8rem 0.35rem 0; border-bottom: 1px solid var(--line); }
th { color: var(--dim); font-weight: 600; }
@media (max-width: 34rem) { main { padding-top: 1.5rem; } ul.links li { grid-template-columns: 1fr; } }
`;

// A ring, and a line that runs through it.
const RING = new Markup(
  `<svg viewBox="0 0 48 48" fill="none" aria-hidden="true"><path d="M2 38C14 38 18 26 24 24" stroke="var(--rope)" stroke-width="3" stroke-linecap="round"/><circle cx="24" cy="24" r="13" stroke="var(--sea)" stroke-width="5"/><path d="M24 24C30 22 34 10 46 10" stroke="var(--rope)" stroke-width="3" stroke-linecap="round"/></svg>`,
);

// One piece: the policy allows this text to the byte, and a formatter may move a template's white space.
const STYLE_ELEMENT = new Markup(`<style>${STYLE}</style>`);

export const PAGE_HEADERS: Readonly<Record<string, string>> = {
  "content-type": "text/html; charset=utf-8",
  "content-security-policy": pagePolicy(STYLE),
};

/** A whole page: self-contained, light and dark, down to the width of a phone. */
export function page(title: string, body: Part, refresh = false): string {
  return html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        ${refresh ? new Markup('<meta http-equiv="refresh" content="0;url=/">') : null}
        <title>${title}</title>
        ${STYLE_ELEMENT}
      </head>
      <body>
        <main>
          <header>
            ${RING}
            <h1>${title}</h1>
          </header>
          ${body}
        </main>
      </body>
    </html> `.text;
}
