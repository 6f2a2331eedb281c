import type { Context, Handlers } from "../handlers.ts";

type Names = "listQuestions" | "getQuestion" | "decideQuestion";

export function questionHandlers({ services: { questions } }: Context): Pick<Handlers, Names> {
  return {
    listQuestions: ({ actor, query }) => questions.list(actor, query),
    getQuestion: ({ actor, params }) => questions.get(actor, params.id),
    decideQuestion: ({ actor, params, body }) => questions.decide(actor, params.id, body),
  };
}
