import { commonErrors, ERRORS, type ErrorCode, type OpenApi, type RouteDef } from "@fairlead/contract";
import { html, prose, type Part } from "./html.ts";
import { page } from "./page.ts";

interface Operation {
  readonly parameters?: readonly Parameter[];
  readonly requestBody?: {
    readonly content: Readonly<Record<string, { readonly schema: unknown }>>;
  };
}

interface Parameter {
  readonly name: string;
  readonly in: string;
  readonly required: boolean;
  readonly description?: string;
  readonly schema: Readonly<Record<string, unknown>>;
}

/** The table of routes as a page. */
export function docsPage(routes: Readonly<Record<string, RouteDef>>, api: OpenApi, version: string): string {
  const groups = Map.groupBy(Object.entries(routes), ([, route]) => groupOf(route.path));
  return page("Fairlead API", [
    html`<p>
      Version ${version}. The same as <a href="/openapi.json">OpenAPI 3.1</a>. Back to the
      <a href="/">start page</a>.
    </p>`,
    html`<p>
      Send <code>Authorization: Bearer TOKEN</code>, from <code>npm run fairlead -- token create</code>.
      Errors are JSON with <code>code</code>, <code>message</code>, <code>hint</code> and
      <code>request_id</code>; branch on <code>code</code>.
    </p>`,
    html`<p>
      Streams are Server-Sent Events without <code>event:</code> names, so <code>onmessage</code> of an
      EventSource gets all of them; the name is <code>type</code> in the data. Only the server's own goodbye
      is named: <code>event: end</code> says why a stream was ended.
    </p>`,
    [...groups].map(([group, members]) => [
      html`<h2>${group}</h2>`,
      members.map(([name, route]) => section(name, route, api)),
    ]),
    html`<h2>Error codes</h2>
      <div class="scroll">
        <table>
          <tr>
            <th>Code</th>
            <th>Status</th>
            <th>Meaning</th>
          </tr>
          ${(Object.keys(ERRORS) as ErrorCode[]).map(
            (code) =>
              html`<tr>
                <td><code>${code}</code></td>
                <td>${ERRORS[code].status}</td>
                <td>${ERRORS[code].message} <span class="dim">${prose(ERRORS[code].hint)}</span></td>
              </tr>`,
          )}
        </table>
      </div>`,
  ]);
}

function groupOf(path: string): string {
  const [, first = "", second = ""] = path.split("/");
  if (first === "chat") return "Chat";
  if (first === "sessions") return second === "{id}" && path.includes("/events") ? "Events" : "Sessions";
  if (first === "events") return "Events";
  if (first === "approvals") return "Questions";
  return first === "auth" || first === "tokens" ? "Access" : "Server";
}

function section(name: string, route: RouteDef, api: OpenApi): Part {
  const operation = (api.paths[route.path]?.[route.method.toLowerCase()] ?? {}) as Operation;
  const codes = [...new Set([...route.errors, ...commonErrors(route)])];
  return html`<details id="${name}">
    <summary>
      <span class="method ${route.method}">${route.method}</span><span class="path">${route.path}</span
      ><span class="what">${route.summary}</span>
    </summary>
    <div class="inside">
      <p>${prose(route.doc)}</p>
      <p class="dim">${access(route)} Answers ${route.status}${replyOf(route)}.</p>
      ${parameters(operation.parameters ?? [])} ${body(operation)}
      <h3>Errors</h3>
      <p>${codes.map((code) => [html`<code>${code}</code>`, " "])}</p>
    </div>
  </details>`;
}

function access(route: RouteDef): string {
  if (route.role === null) return "Needs no credential.";
  const least = route.role === "admin" ? "Needs the role admin" : `Needs at least the role ${route.role}`;
  return route.agents ? `${least}, or an agent for the sessions it made.` : `${least}; no agents.`;
}

function replyOf(route: RouteDef): string {
  if (route.reply === null) return " without a body";
  if (route.streams) return " with JSON, or with events when Accept asks for text/event-stream";
  if (typeof route.reply !== "string") return " with JSON";
  return {
    sse: " with a stream of events",
    text: " with text",
    html: " with a page",
    bytes: " with bytes",
  }[route.reply];
}

function parameters(list: readonly Parameter[]): Part {
  if (list.length === 0) return null;
  return html`<h3>Parameters</h3>
    <div class="scroll">
      <table>
        <tr>
          <th>Name</th>
          <th>In</th>
          <th>Type</th>
        </tr>
        ${list.map(
          (one) =>
            html`<tr>
              <td><code>${one.name}</code>${one.required ? " (required)" : null}</td>
              <td>${one.in}</td>
              <td>
                ${typeOf(one.schema)}${one.description === undefined ? null : html`<br /><span class="dim">${prose(one.description)}</span>`}
              </td>
            </tr>`,
        )}
      </table>
    </div>`;
}

function typeOf(schema: Readonly<Record<string, unknown>>): string {
  const base = Array.isArray(schema["enum"]) ? schema["enum"].join(" | ") : String(schema["type"] ?? "any");
  const fallback = schema["default"];
  return fallback === undefined ? base : `${base}, default ${String(fallback)}`;
}

function body(operation: Operation): Part {
  const schema = operation.requestBody?.content["application/json"]?.schema;
  if (schema === undefined) return null;
  return html`<h3>Body</h3>
    <pre><code>${JSON.stringify(schema, null, 2)}</code></pre>`;
}
