import { z } from "zod";
import { idSchema } from "../ids.ts";
import { fact, text, time } from "./fields.ts";

/** From least to most, and `agent` beside them: it speaks for its own sessions and never decides a question. */
export const ROLES = ["viewer", "operator", "admin", "agent"] as const;
export type Role = (typeof ROLES)[number];

export const TOKEN_PURPOSES = ["api", "cli", "browser"] as const;
export type TokenPurpose = (typeof TOKEN_PURPOSES)[number];

export const TOKEN_EVENTS = {
  "runtime.token.created": fact({
    tier: "debug",
    faces: { frontend: null, runtime: null },
    doc: "A credential was made. Only the hash of its secret is kept.",
    fields: {
      token_id: idSchema("token"),
      secret_hash: text,
      actor: text,
      role: z.enum(ROLES),
      project: text.nullish(),
      label: text.optional(),
      expires_at: time.nullish(),
      purpose: z.enum(TOKEN_PURPOSES),
      created_by: text.optional(),
      /** The token whose sign-in link made this one: it ends with it. */
      parent: idSchema("token").optional(),
    },
  }),
  "runtime.token.revoked": fact({
    tier: "debug",
    faces: { frontend: null, runtime: null },
    doc: "A credential was withdrawn.",
    fields: { token_id: idSchema("token"), actor: text },
  }),
};
