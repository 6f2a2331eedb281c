import { z } from "zod";
import { route } from "../define-route.ts";
import { ROLES } from "../events/token.ts";
import { idSchema } from "../ids.ts";
import { ActorName } from "../names.ts";
import { TokenRow } from "../rows.ts";
import { projectName, shortText } from "./fields.ts";

const time = z.iso.datetime();

export const AUTH_ROUTES = {
  signIn: route({
    method: "GET",
    path: "/auth/login",
    summary: "Turn a one-time link into a session cookie",
    doc: "Works once and only for a short while. Sets an HttpOnly, SameSite=Strict cookie that lasts 12 hours at most and redirects to the start page.",
    role: null,
    agents: false,
    query: z.strictObject({ code: z.string().min(1).max(200) }),
    status: 302,
    reply: null,
    errors: ["unauthorized"],
  }),
  whoAmI: route({
    method: "GET",
    path: "/auth/me",
    summary: "Who am I?",
    doc: "The name, the role and the project of the credential that asks, and when it ends.",
    role: "viewer",
    agents: true,
    status: 200,
    reply: z.object({
      name: z.string(),
      role: z.enum(ROLES),
      project: z.string().nullable(),
      expires_at: z.string().nullable(),
    }),
    errors: [],
  }),
  signOut: route({
    method: "POST",
    path: "/auth/logout",
    summary: "End the session of this browser",
    doc: "Revokes the cookie's credential and deletes the cookie.",
    role: "viewer",
    agents: false,
    status: 204,
    reply: null,
    errors: [],
  }),
  createLink: route({
    method: "POST",
    path: "/auth/links",
    summary: "Make a one-time sign-in link",
    doc: "For another browser of the same person: it gets the role and the project of the credential that asks, and ends with it. On the same machine, `browser_url` is the same by a name under `localhost`, whose cookie no other port gets.",
    role: "viewer",
    agents: false,
    status: 201,
    reply: z.object({ url: z.string(), browser_url: z.string(), expires_at: z.string() }),
    errors: [],
  }),
  listTokens: route({
    method: "GET",
    path: "/tokens",
    summary: "List the tokens",
    doc: "Without their secrets, which nobody has but their owners.",
    role: "admin",
    agents: false,
    status: 200,
    reply: z.object({ rows: z.array(TokenRow) }),
    errors: [],
  }),
  createToken: route({
    method: "POST",
    path: "/tokens",
    summary: "Make a token",
    doc: "The secret is in the answer and nowhere else: only its hash is kept. An admin with a project can make tokens for that project only: left out, `project` is theirs.",
    role: "admin",
    agents: false,
    body: z.strictObject({
      actor: ActorName,
      role: z.enum(ROLES),
      project: projectName.nullish(),
      label: shortText.optional(),
      expires_at: time.nullish(),
    }),
    status: 201,
    reply: z.object({ secret: z.string(), token: TokenRow }),
    errors: [],
  }),
  revokeToken: route({
    method: "DELETE",
    path: "/tokens/{id}",
    summary: "Revoke a token",
    doc: "Takes effect at once, on open streams too, and on browsers that were signed in with its links.",
    role: "admin",
    agents: false,
    params: z.strictObject({ id: idSchema("token") }),
    status: 204,
    reply: null,
    errors: ["invalid_id", "token_not_found"],
  }),
};
